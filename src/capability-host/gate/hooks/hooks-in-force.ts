/** Hooks as a person reads them, each with where it runs on this machine. */
import { inEnglish } from '../../../protocol/text/text.ts';
import type { SandboxUse } from '../../machine/sandbox/command-wall.ts';
import type { Hook } from './hook-list.ts';

export interface HookInForce {
	/** When, for which ops, and which program. */
	readonly hook: string;
	readonly where: 'sandbox' | 'as you' | 'nowhere';
	/** The same in words: with what it reaches from its sandbox, or why it has none. */
	readonly runs: string;
}

export function hookInForce(hook: Hook, sandbox: SandboxUse): HookInForce {
	const asYou = hook.sandbox === 'never' || (!sandbox.works && hook.sandbox === 'where it works');
	return {
		hook: `${hook.when} ${hook.ops}: ${hook.run.join(' ')}`,
		where: asYou ? 'as you' : sandbox.works ? 'sandbox' : 'nowhere',
		runs: runs(hook, sandbox),
	};
}

/** For the doctor. */
export function hooksReport(hooks: readonly HookInForce[]) {
	const count = (where: HookInForce['where'], words: string) => {
		const number = hooks.filter((each) => each.where === where).length;
		return number === 0 ? [] : [`${number} ${words}`];
	};
	const counts = [...count('sandbox', 'in the sandbox'), ...count('as you', 'as you'), ...count('nowhere', 'nowhere')];
	return {
		ok: hooks.every(({ where }) => where !== 'nowhere'),
		detail: hooks.length === 0 ? 'none' : `${hooks.length}: ${counts.join(', ')}`,
		more: hooks.map(({ hook, runs: words }) => `${hook} runs ${words}`),
	};
}

function runs({ sandbox, needs, when }: Hook, use: SandboxUse): string {
	if (sandbox === 'never') {
		return 'as you, without a sandbox';
	}
	if (use.works) {
		return ['in the sandbox', ...reached(needs)].join(', ');
	}
	const why = inEnglish(use.why);
	if (sandbox === 'where it works') {
		return `as you, because no sandbox works here: ${why}`;
	}
	return when === 'before' ? `not at all, and refuses its ops: ${why}` : `not at all: ${why}`;
}

function reached({ network, read, write }: Hook['needs']): string[] {
	return [
		...(write.length === 0 ? [] : [`changes ${write.join(', ')}`]),
		...(read.length === 0 ? [] : [`reads ${read.join(', ')}`]),
		...(network.length === 0 ? [] : [`reaches ${network.join(', ')}`]),
	];
}
