/**
 * Text of the question before a server may start. Each statement is a text of its own, so that no text of the server
 * can pass for a statement of ours.
 */
import { escapeLine } from '../../../base/text/one-line.ts';
import type { ConsentDetail } from '../../../protocol/approvals/consent.ts';
import type { McpSamplingBudget } from '../../../protocol/settings/groups/mcp.ts';
import { type Text, text, withArgs } from '../../../protocol/text/text.ts';
import type { SandboxUse } from '../../../machine/sandbox/command-wall.ts';
import { listSecretNames } from '../configuration/variables.ts';
import {
	formatServerAddress,
	listWrittenValues,
	type HttpLaunch,
	isOfProject,
	type McpServer,
	type StdioLaunch,
} from '../server.ts';
import type { LaunchIdentity } from './launch-identity.ts';

export interface StartSubject {
	readonly server: McpServer;
	readonly identity: LaunchIdentity;
	/** Sandbox of commands on this machine, as it works at this moment. */
	readonly sandbox: SandboxUse;
	/** Rules of the user that allow tools of a server of that name. */
	readonly rules: readonly string[];
	/** Budget of the server for asking models; undefined: it may not ask any. */
	readonly sampling: McpSamplingBudget | undefined;
}

export function startDetail({
	server,
	identity: { hash, files },
	sandbox,
	rules,
	sampling,
}: StartSubject): ConsentDetail {
	const { name, launch, path } = server;
	const secrets = listSecretNames(name, listWrittenValues(server));
	const isOpen = launch.kind === 'stdio' && !(launch.isSandboxed && sandbox.works);
	return {
		kind: 'consent',
		description: '',
		may: [
			launch.kind === 'stdio'
				? text('run this program: {command}', { command: formatServerAddress(server) })
				: text('receive what is sent to {address}', { address: formatServerAddress(server) }),
			...secrets.map((secret) => text('receive your secret "{name}"', { name: secret })),
			...(launch.kind === 'stdio' ? programRights(launch, isOpen) : addressRights(launch)),
			...(sampling === undefined
				? []
				: [
						text('ask your model {calls} times, for {tokens} tokens together; each time needs your approval', {
							calls: sampling.calls,
							tokens: sampling.tokens,
						}),
					]),
			...(launch.kind !== 'stdio' || server.pluginData === undefined
				? []
				: [text('keep data in a folder of its plugin: {path}', { path: server.pluginData })]),
			...rules.map((rule) =>
				rule.startsWith('mcp.sample ')
					? text('ask your model without a question, because your rule "{rule}" allows it', { rule })
					: text('have its tools called without a question, because your rule "{rule}" allows it', { rule }),
			),
		].map((meaning) => ({ permission: null, meaning: withArgs(meaning, escapeLine) })),
		mayNot: [],
		notEnforced: (launch.kind === 'stdio' && isOpen ? describeOpenness(launch, sandbox) : []).map((words) =>
			withArgs(words, escapeLine),
		),
		enforced: launch.kind === 'stdio' && !isOpen ? [KEPT_IN] : [],
		maker: [
			server.pluginRoot !== undefined
				? text('A plugin that you enabled brings it, in {path}.', { path })
				: isOfProject(server)
					? text('The project names it, in {path}.', { path })
					: text('You named it, in {path}.', { path }),
			...files.map((file) => text('If {file} changes, you are asked again.', { file })),
		].map((words) => withArgs(words, escapeLine)),
		level: 'RESTRICTED',
		levelMeaning: EACH_CALL_ASKS,
		details: [
			...(launch.kind === 'stdio' ? [{ label: text('Folder:'), value: escapeLine(launch.cwd) }] : []),
			{ label: text('Entry and files: sha256'), value: hash },
		],
	};
}

function programRights({ env, needs }: StdioLaunch, isOpen: boolean): readonly Text[] {
	const variables = Object.keys(env);
	return [
		...(variables.length === 0 ? [] : [text('receive these variables: {names}', { names: variables.join(', ') })]),
		...(isOpen || needs.network.length === 0
			? []
			: [text('connect to {hosts} without a question', { hosts: needs.network.join(', ') })]),
		...(isOpen || needs.read.length === 0
			? []
			: [text('read {paths} beyond the workspace', { paths: needs.read.join(', ') })]),
		...(isOpen || needs.write.length === 0
			? []
			: [text('change {paths}; undo does not bring that back', { paths: needs.write.join(', ') })]),
	];
}

function addressRights({ headers }: HttpLaunch): readonly Text[] {
	const names = Object.keys(headers);
	return names.length === 0 ? [] : [text('receive these headers: {names}', { names: names.join(', ') })];
}

function describeOpenness({ isSandboxed }: StdioLaunch, sandbox: SandboxUse): readonly Text[] {
	return [
		text('it runs as you: it can read and change all that you can, and connect to any host'),
		...(isSandboxed && !sandbox.works ? [sandbox.why] : []),
	];
}

export const EACH_CALL_ASKS = text('each of its tools needs your approval unless one of your rules allows it');

const KEPT_IN = text(
	'Sandboxed as commands are: it reads the workspace without its secret files, sees nothing of your home, and changes nothing but what is listed here. Each other host needs your approval.',
);
