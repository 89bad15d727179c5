/** Scripts in the hands of the user: a run is in the ledger as one act, and each of its ops as what it is. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordUserAct } from '../../trust/record/ledger/user-act.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import { keptScript } from './kept-script.ts';
import type { Script } from './script.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { CapabilityManager } from '../../execution/runs/capability-manager.ts';
import { Scripts } from './scripts.ts';

export interface ScriptRegister extends Pick<Scripts, 'read' | 'run' | 'runsAmong' | 'lastRun' | 'ownsThread'> {
	/** Writes it as a skill of the user; resolves with its folder. Rejects with INVALID_PARAMS and INVALID_STATE. */
	keep(script: Script, name: string, text: string): Promise<string>;
}

interface ScriptRegisterDeps {
	readonly scripts: Scripts;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly home: string;
}

export interface ScriptParts extends Pick<
	ConstructorParameters<typeof Scripts>[0],
	'holder' | 'perform' | 'knowledge' | 'beginThread' | 'redactor'
> {
	readonly ports: HostPorts;
	readonly capabilities: Pick<CapabilityManager, 'find'>;
}

const SCRIPT_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Creates what runs scripts: ops through the broker, in a thread of its own for each script. */
export function createScripts({ ports, capabilities, ...asked }: ScriptParts): Scripts {
	return new Scripts({
		...asked,
		home: ports.places.home,
		workspace: ports.workspace,
		hasCapability: (type, name) =>
			capabilities.find({ type, name }).then(
				() => true,
				() => false,
			),
	});
}

export function scriptRegister({ scripts, ledger, home }: ScriptRegisterDeps): ScriptRegister {
	return {
		read: (text, file) => scripts.read(text, file),
		lastRun: (script) => scripts.lastRun(script),
		runsAmong: (threadIds) => scripts.runsAmong(threadIds),
		ownsThread: (threadId) => scripts.ownsThread(threadId),
		run: (script, options, signal) =>
			recordUserAct(
				ledger,
				{ op: 'script.run', input: `Run the script ${script.name}`, params: { hash: script.hash } },
				({ threadId }) => `all ${script.steps.length} steps are done, in ${threadId}`,
				() => scripts.run(script, options, signal),
			),
		async keep(script, name, content) {
			const folder = join(home, 'capabilities', 'skill', name);
			if (!SCRIPT_NAME.test(name)) {
				throw new ProwessError('INVALID_PARAMS', `"${name}" is not a valid name: expected words-like-this`, {
					name,
					said: text('"{name}" is not a valid name: use words-like-this.', { name }),
				});
			}
			if (existsSync(folder)) {
				throw new ProwessError('INVALID_STATE', `there is a skill ${name} already: ${folder}`, {
					name,
					said: text('There is a skill {name} already: {folder}', { name, folder }),
				});
			}
			const params = { hash: script.hash, name };
			return await recordUserAct(
				ledger,
				{ op: 'script.keep', input: `Keep the script ${script.name} as skill/${name}`, params },
				() => folder,
				async () => {
					mkdirSync(folder, { recursive: true });
					for (const [file, lines] of Object.entries(keptScript(script, name, content))) {
						writeFileSync(join(folder, file), lines, { flag: 'wx' });
					}
					return folder;
				},
			);
		},
	};
}
