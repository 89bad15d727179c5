/**
 * Text of the question before a capability may run. Each statement is a text of its own, so that no text of the
 * capability can pass for a statement of ours.
 */
import { escapeLine } from '../../../base/text/one-line.ts';
import type { Executor } from '../../../catalog/executors.ts';
import type { ConsentDetail } from '../../../protocol/approvals/consent.ts';
import type { ContextWish } from '../../../protocol/capability/manifest.ts';
import { CODEBOLT_EXECUTOR } from '../../../protocol/execution/execution.ts';
import type { WorkerTool } from '../../../protocol/manifest/worker-tools.ts';
import { LLM_SERVICE } from '../../../protocol/ops/definitions/agent/llm.ts';
import {
	codeboltProgramText,
	riskLevelTexts,
	permissionText,
	loopbackPortText,
} from '../../../protocol/approvals/permission-text.ts';
import { LEVEL_PERMISSIONS, PERMISSIONS, type Permission, type RiskLevel } from '../../../protocol/ops/risk.ts';
import { joinTexts, type Text, text, withArgs } from '../../../protocol/text/text.ts';
import type { InstalledFrom } from '../../../catalog/marketplace/installed-from.ts';
import type { Capability, CapabilityOrigin } from '../../../catalog/registry/sources/capability-source.ts';
import { allowedToolsInWords } from '../../../trust/gate/policy/rules/allowed-tools-in-words.ts';
import type { Sandbox } from '../../../machine/sandbox/sandbox.ts';

/** Content and circumstances that somebody is asked to agree to. */
export interface ConsentSubject {
	readonly capability: Capability;
	readonly executor: Executor;
	/** Hash of the content of the capability, and of an executor that is not ours. */
	readonly hash: string;
	readonly sandbox: Sandbox;
	/**
	 * True when code of the capability runs; else its instructions are carried out, and a sandbox keeps nothing of it
	 * in.
	 */
	readonly runsOwnCode: boolean;
	/** Folder of its plugin's data, where its instructions name that; undefined: they do not. */
	readonly keptIn: string | undefined;
	/** Tools of a skill that runs in a worker; empty or absent: it runs as a whole. */
	readonly tools?: readonly WorkerTool[];
}

/** Names of tools in a question; their texts are the content that is agreed to. */
const MAX_TOOLS_NAMED = 50;

/** `installed`: its record, where its files are those that were installed. */
export function consentDetail(
	{ capability, executor, hash, sandbox, runsOwnCode, keptIn, tools: offered = [] }: ConsentSubject,
	installed?: InstalledFrom,
): ConsentDetail {
	const { manifest, path, source, overrides } = capability;
	const { description, permissions, level, author, context, provides, allowedTools = [], tools } = manifest;
	const beyond = permissions.filter((each) => !LEVEL_PERMISSIONS[level].includes(each));
	const given = permissions.filter((each) => !beyond.includes(each));
	// A tool is given its params alone.
	const received = RECEIVED[executor.worker === undefined ? context : 'none'];
	const isConfined = !runsOwnCode || sandbox === 'bwrap';
	const areCommandsConfined = sandbox === 'bwrap';
	const commands = given.includes('shell') ? [commandsText(given, areCommandsConfined)] : [];
	return {
		kind: 'consent',
		description: escapeLine(description.trim().replaceAll(/\s+/g, ' ')),
		may: [
			...permissionsInWords(given, level),
			...[
				...allowedToolsInWords(allowedTools).map((words) => joinTexts(words)),
				...(received === undefined ? [] : [received]),
				...(provides.includes(LLM_SERVICE) ? [ANSWERS_FOR_MODELS] : []),
				...(executor.channel === 'loopback' ? [loopbackPortText] : []),
				...(keptIn === undefined ? [] : [text('keep data in a folder of its plugin: {path}', { path: keptIn })]),
			].map((meaning) => ({ permission: null, meaning: withArgs(meaning, escapeLine) })),
		],
		mayNot: [
			...(received === undefined ? [text('It receives nothing of the thread.')] : []),
			...(beyond.length === 0
				? []
				: [
						withArgs(
							text('Not granted, because its level is too low: {permissions}', { permissions: beyond.join(', ') }),
							escapeLine,
						),
					]),
		],
		notEnforced: [...(isConfined ? [] : [SANDBOX_TEXTS[sandbox]]), ...(areCommandsConfined ? [] : commands)],
		enforced: [
			...(runsOwnCode
				? isConfined
					? [executor.worker === 'python-worker' ? PYTHON : SANDBOX_TEXTS[sandbox]]
					: []
				: [CARRIED_OUT]),
			...(manifest.instructions === 'thread' && tools !== undefined ? [withArgs(onlyTools(tools), escapeLine)] : []),
			...(areCommandsConfined ? commands : []),
		],
		maker: [
			ORIGIN_TEXTS[source],
			...madeBy(installed),
			...(author === undefined ? [] : [text('Author, as it says itself: {author}', { author })]),
			...overrides.map((each) =>
				text('Overrides the {source} one in {path}', { source: each.source, path: each.path }),
			),
			...(executor.folder === undefined
				? []
				: [text('Runs in a third-party executor: {folder}', { folder: executor.folder })]),
			...(executor.adapter === undefined && manifest.executor !== CODEBOLT_EXECUTOR ? [] : [codeboltProgramText]),
		].map((words) => withArgs(words, escapeLine)),
		level,
		levelMeaning: riskLevelTexts[level],
		details: [
			...(offered.length === 0 ? [] : [{ label: text('Tools:'), value: escapeLine(nameTools(offered)) }]),
			{ label: text('Folder:'), value: escapeLine(path) },
			{ label: text('Content: sha256'), value: hash },
			...(installed?.key === undefined ? [] : [{ label: text('Signed with the key:'), value: installed.key }]),
		],
	};
}

function nameTools(tools: readonly WorkerTool[]): string {
	const named = tools.slice(0, MAX_TOOLS_NAMED).map(({ name }) => name);
	return [...named, ...(tools.length > MAX_TOOLS_NAMED ? ['…'] : [])].join(', ');
}

function madeBy(installed: InstalledFrom | undefined): readonly Text[] {
	if (installed === undefined) {
		return [];
	}
	const { index, key } = installed;
	return [
		text('Installed from {index}, unchanged since.', { index }),
		key === undefined
			? text('Not signed: nothing proves who published it.')
			: text('Signed by its publisher. The key, which updates must be signed with too, is among the details.'),
	];
}

function permissionsInWords(given: readonly Permission[], level: RiskLevel): ConsentDetail['may'] {
	return given.length === PERMISSIONS.length
		? [{ permission: null, meaning: ALL_PERMISSIONS_TEXT }]
		: given.map((permission) => ({ permission, meaning: permissionText(permission, level) }));
}

/**
 * Describes the rights of the capability's commands. Commands do not run in the sandbox of its own process, but in that
 * of all commands.
 */
function commandsText(given: readonly Permission[], isConfined: boolean): Text {
	if (!isConfined) {
		return text('its commands are not sandboxed; each needs approval as for the agent');
	}
	return given.includes('workspace.write')
		? text(
				'Its commands are sandboxed apart from it. They change only the workspace, see neither your home nor secret files, and need your approval for each host or path beyond.',
			)
		: text(
				'Its commands are sandboxed apart from it. They change nothing, see neither your home nor secret files, and need your approval for each host or path beyond.',
			);
}

const ALL_PERMISSIONS_TEXT = text('everything the agent may ask for; each op needs approval as for the agent');

const RECEIVED: { readonly [C in ContextWish]: Text | undefined } = {
	full: text(
		'receive the newest messages of the thread, its mode and level, the branch and the active file, without secrets',
	),
	last: text(
		'receive the last message of the thread, its mode and level, the branch and the active file, without secrets',
	),
	none: undefined,
};

const ANSWERS_FOR_MODELS = text(
	'answer other capabilities in a model’s place if you select it: it receives their messages and acts with its own permissions',
);

const CARRIED_OUT = text(
	'Runs no code of its own: a model carries out its instructions, and its ops are judged like those of the agent.',
);

function onlyTools(tools: readonly string[]): Text {
	return text(
		'Until your next message, the agent that follows it has these tools and those that read, search and ask: {tools}',
		{ tools: tools.join(', ') },
	);
}

/** Node's flags keep a process from starting others; Python has no such thing. */
const PYTHON = text(
	'Sandboxed: its own process has no network and no files but its own and the system’s in /usr. It may start programs of /usr, which are kept in with it.',
);

const SANDBOX_TEXTS: { readonly [S in Sandbox]: Text } = {
	bwrap: text('Sandboxed: its own process has no network, no other files and no other processes.'),
	permission: text(
		'it can use the network and signal your other processes. Only Node’s flags keep it from your files.',
	),
	none: text('it can use the network, your files and your processes, like any program you run.'),
};

const ORIGIN_TEXTS: { readonly [S in CapabilityOrigin]: Text } = {
	'built-in': text('It came with Prowess.'),
	global: text('It is from your own folder of capabilities.'),
	project: text('It is from this project: whoever changes its files changes what runs.'),
};
