/** Hooks as a person reads them, each with where it runs on this machine. */
import { joinTextsWithCommas, type Text, text } from '../../../protocol/text/text.ts';
import type { SandboxUse } from '../../../machine/sandbox/command-wall.ts';
import type { Hook } from './hook-list.ts';

export interface HookInForce {
	/** When, for which ops, and which program. */
	readonly hook: string;
	readonly where: 'sandbox' | 'as you' | 'nowhere';
	/** The same in words: with what it reaches from its sandbox, or why it has none. */
	readonly runs: Text;
}

export function hookInForce(hook: Hook, sandbox: SandboxUse): HookInForce {
	const asYou = hook.sandbox === 'never' || (!sandbox.works && hook.sandbox === 'where it works');
	return {
		hook: `${hook.when} ${hook.ops}: ${hook.run.join(' ')}`,
		where: asYou ? 'as you' : sandbox.works ? 'sandbox' : 'nowhere',
		runs: describeHookRun(hook, sandbox),
	};
}

/** For the doctor. */
export function hooksReport(hooks: readonly HookInForce[]) {
	const countWhere = (where: HookInForce['where'], words: (n: number) => Text) => {
		const n = hooks.filter((each) => each.where === where).length;
		return n === 0 ? [] : [words(n)];
	};
	const counts = [
		...countWhere('sandbox', (n) => text('{n} in the sandbox', { n })),
		...countWhere('as you', (n) => text('{n} as you', { n })),
		...countWhere('nowhere', (n) => text('{n} nowhere', { n })),
	];
	return {
		ok: hooks.every(({ where }) => where !== 'nowhere'),
		detail:
			hooks.length === 0
				? text('none')
				: text('{n}: {counts}', { n: hooks.length, counts: joinTextsWithCommas(counts) }),
		more: hooks.map(({ hook, runs: words }) => text('{hook} runs {words}', { hook, words })),
	};
}

function describeHookRun({ sandbox, needs, when }: Hook, use: SandboxUse): Text {
	if (sandbox === 'never') {
		return text('as you, without a sandbox');
	}
	if (use.works) {
		return joinTextsWithCommas([text('in the sandbox'), ...describeHookReach(needs)]);
	}
	const { why } = use;
	if (sandbox === 'where it works') {
		return text('as you, because no sandbox works here: {why}', { why });
	}
	return when === 'before'
		? text('not at all, and refuses its ops: {why}', { why })
		: text('not at all: {why}', { why });
}

function describeHookReach({ network, read, write }: Hook['needs']): Text[] {
	return [
		...(write.length === 0 ? [] : [text('changes {what}', { what: write.join(', ') })]),
		...(read.length === 0 ? [] : [text('reads {what}', { what: read.join(', ') })]),
		...(network.length === 0 ? [] : [text('reaches {what}', { what: network.join(', ') })]),
	];
}
