/**
 * Cases of the workspace's capabilities in VS Code's own Test Explorer. Files of cases are found by their names; the command
 * line runs them, in a process and with a home of their own, so that nothing of the user's ledger and models is in a run.
 */
import * as vscode from 'vscode';
import { basename, dirname, join } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { escapeToLine } from '../../base/text/one-line.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import { makeOwnTemporaryFolder } from '../../machine/home-files/own-temporary-folder.ts';
import { TestedCapability } from '../../protocol/capability/tested-capability.ts';
import * as z from '../../protocol/text/zod.ts';
import { runOwnCommand } from '../editor/own-command.ts';
import { createSettingsPort } from '../ports/settings-port.ts';
import { capabilityFiles, caseFiles, projectCapabilities } from './manifest-files.ts';
import { pickText } from './texts/value-texts.ts';

const MANIFEST_PATTERN = '**/{capability.yaml,capability.yml,SKILL.md}';
const NAMED_FILE = /\/capability\.ya?ml$/;
const MOST_CAPABILITIES = 2_000;
/** A longer file is a case without a name of its own here; its run says what is wrong with it. */
const MAX_READ_BYTES = 200_000;
/** Rest after a change of files, before cases are looked for. */
const REST_MS = 250;
/** Longest run of the cases of one capability. */
const RUN_MS = 30 * 60_000;
/** Internal, as the underscore says to the editor: a lens names the tests that it runs. */
const RUN_COMMAND = '_prowess.runCapabilityTests';

/** Made with the first case, because it brings the test view into the side bar. */
interface CaseController {
	readonly tests: vscode.TestController;
	readonly profile: vscode.TestRunProfile;
}

export class CapabilityTests implements vscode.Disposable {
	readonly #dist: string;
	readonly #log: LogPort;
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposing = new AbortController();
	readonly #disposables: vscode.Disposable[];
	#controller: CaseController | undefined;
	#looking: Promise<void> | undefined;
	#isOutdated = false;
	#resting: NodeJS.Timeout | undefined;

	/** `dist`: folder of the built files. */
	constructor(dist: string, log: LogPort) {
		this.#dist = dist;
		this.#log = log;
		const onChange = () => this.lookSoon();
		const watchers = [caseFiles.pattern, MANIFEST_PATTERN, projectCapabilities].map((pattern) =>
			vscode.workspace.createFileSystemWatcher(pattern),
		);
		this.#disposables = [
			...watchers.flatMap((each) => [
				each,
				each.onDidCreate(onChange),
				each.onDidChange(onChange),
				each.onDidDelete(onChange),
			]),
			vscode.workspace.onDidChangeWorkspaceFolders(onChange),
			// The editor may miss a file that was made together with its folder.
			vscode.workspace.onDidSaveTextDocument(({ uri }) => {
				if (/\/(?:tests\/[^/]+\.ya?ml|capability\.ya?ml)$/.test(uri.path)) onChange();
			}),
			vscode.commands.registerCommand(RUN_COMMAND, (id: unknown) => this.#runById(id)),
			vscode.languages.registerCodeLensProvider([capabilityFiles, caseFiles], {
				onDidChangeCodeLenses: this.#changed.event,
				provideCodeLenses: (document) => this.#listLenses(document),
			}),
		];
	}

	/** Finds all cases anew once the files rest. */
	lookSoon(): void {
		clearTimeout(this.#resting);
		this.#resting = setTimeout(() => void this.#look(), REST_MS);
	}

	/** Finds all cases anew; what changes meanwhile is looked at afterwards. Never rejects. */
	#look(): Promise<void> {
		this.#isOutdated = true;
		this.#looking ??= this.#lookAgain().finally(() => (this.#looking = undefined));
		return this.#looking;
	}

	dispose(): void {
		this.#disposing.abort(new Error('the window closes'));
		for (const each of this.#disposables) each.dispose();
		this.#controller?.tests.dispose();
		this.#changed.dispose();
		clearTimeout(this.#resting);
	}

	async #lookAgain(): Promise<void> {
		while (this.#isOutdated && !this.#disposing.signal.aborted) {
			this.#isOutdated = false;
			try {
				await this.#find();
			} catch (error) {
				this.#log.warn(`cases of capabilities: ${toErrorMessage(error)}`);
			}
		}
	}

	async #find(): Promise<void> {
		const manifests = await vscode.workspace.findFiles(MANIFEST_PATTERN, '**/node_modules/**', MOST_CAPABILITIES);
		const byFolder = new Map(manifests.map((manifest) => [dirname(manifest.fsPath), manifest]));
		const found: FoundCapability[] = [];
		for (const [folder, manifest] of [...byFolder].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
			const cases = await listCases(folder);
			if (cases.length > 0) found.push({ folder, manifest, cases });
		}
		if (this.#disposing.signal.aborted || (found.length === 0 && this.#controller === undefined)) return;
		const { tests } = (this.#controller ??= this.#createController());
		tests.items.replace(found.map((each) => toItem(tests, each)));
		this.#changed.fire();
	}

	#createController(): CaseController {
		const tests = vscode.tests.createTestController('prowess.capabilities', vscode.l10n.t('Capabilities of Prowess'));
		const runRequest = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => this.#run(request, token);
		const { Run } = vscode.TestRunProfileKind;
		const profile = tests.createRunProfile(vscode.l10n.t('Run Tests'), Run, runRequest, true);
		tests.refreshHandler = () => this.#look();
		return { tests, profile };
	}

	/** *Run* above the name of a capability, whose text alone counts: what runs is found when it is clicked. */
	#listLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const { uri } = document;
		const lines = document.getText().split('\n', 50);
		const line = Math.max(
			0,
			lines.findIndex((text) => text.startsWith('name:')),
		);
		const range = new vscode.Range(line, 0, line, 0);
		const createLens = (icon: string, title: string, command: string, argument: unknown) =>
			new vscode.CodeLens(range, { command, title: `$(${icon}) ${title}`, arguments: [argument] });
		const folder = { kind: 'folder', path: vscode.Uri.joinPath(uri, '..').fsPath };
		const item = this.#items().find((each) => each.uri?.toString() === uri.toString());
		const t = vscode.l10n.t;
		return [
			...(NAMED_FILE.test(uri.path) ? [createLens('play', t('Run'), '_prowess.runCapability', folder)] : []),
			...(item === undefined
				? []
				: [createLens('beaker', item.children.size > 0 ? t('Run Tests') : t('Run Test'), RUN_COMMAND, item.id)]),
		];
	}

	/** Capabilities and their cases. */
	#items(): vscode.TestItem[] {
		const capabilities = [...(this.#controller?.tests.items ?? [])].map(([, item]) => item);
		return capabilities.flatMap((each) => [each, ...listChildren(each)]);
	}

	async #runById(id: unknown): Promise<void> {
		const item = this.#items().find((each) => each.id === id);
		if (item === undefined || this.#controller === undefined) return;
		const request = new vscode.TestRunRequest([item], undefined, this.#controller.profile);
		const cancellation = new vscode.CancellationTokenSource();
		try {
			await this.#run(request, cancellation.token);
		} finally {
			cancellation.dispose();
		}
	}

	async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
		if (this.#controller === undefined) return;
		const run = this.#controller.tests.createTestRun(request);
		const chosen = chooseCases(request, this.#items());
		for (const some of chosen.values()) for (const each of some) run.enqueued(each);
		const stop = new AbortController();
		const cancelRun = () => stop.abort(new Error('cancelled'));
		const listeners = [token, run.token].map((each) => each.onCancellationRequested(cancelRun));
		this.#disposing.signal.addEventListener('abort', cancelRun, { once: true });
		try {
			for (const [capability, some] of chosen) {
				if (stop.signal.aborted) break;
				await this.#runCases(run, capability, some, stop.signal);
			}
		} finally {
			this.#disposing.signal.removeEventListener('abort', cancelRun);
			for (const each of listeners) each.dispose();
			run.end();
		}
	}

	/** Each of the cases has a result afterwards, or is skipped where the run was cancelled. */
	async #runCases(
		run: vscode.TestRun,
		capability: vscode.TestItem,
		some: readonly vscode.TestItem[],
		signal: AbortSignal,
	): Promise<void> {
		for (const each of some) run.started(each);
		const limit = deriveSignal(signal, { what: 'the run of the cases', timeoutMs: RUN_MS });
		try {
			const isWhole = some.length === capability.children.size;
			const tested = await this.#test(isWhole ? [capability.id] : some.map(({ id }) => id), limit.signal);
			for (const each of some) tellResult(run, each, tested);
			tellRest(run, tested);
		} catch (error) {
			for (const each of some) {
				if (signal.aborted) run.skipped(each);
				else run.errored(each, new vscode.TestMessage(escapeToLine(toErrorMessage(error))));
			}
		} finally {
			limit.dispose();
		}
	}

	/** Runs cases with the user's settings of this editor, so that what these refuse is refused. `places`: a folder, or files in one. */
	async #test(places: readonly string[], signal: AbortSignal): Promise<TestedCapability> {
		const home = await makeOwnTemporaryFolder('prowess-editor-cases-');
		const settings = createSettingsPort(this.#log);
		try {
			const file = vscode.Uri.file(join(home.path, 'settings.json'));
			await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(settings.current)));
			const words = ['capability', 'test', ...places];
			const report = await runOwnCommand(words, { dist: this.#dist, home: home.path }, signal);
			const [tested] = z.tuple([TestedCapability]).parse(report);
			return tested;
		} finally {
			settings.dispose();
			await home.remove();
		}
	}
}

interface FoundCapability {
	readonly folder: string;
	readonly manifest: vscode.Uri;
	readonly cases: readonly FoundCase[];
}

interface FoundCase {
	readonly uri: vscode.Uri;
	readonly name: string;
	/** Line of the name, from 0. */
	readonly line: number;
}

async function listCases(folder: string): Promise<FoundCase[]> {
	const tests = vscode.Uri.file(join(folder, 'tests'));
	const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(tests)).catch(() => []);
	const files = entries.filter(([name, type]) => type === vscode.FileType.File && /\.ya?ml$/.test(name));
	return await Promise.all(
		files
			.map(([name]) => name)
			.toSorted()
			.map((name) => readCase(vscode.Uri.joinPath(tests, name))),
	);
}

/** Knows nothing of a case but its name: what runs says whether it is one. */
async function readCase(uri: vscode.Uri): Promise<FoundCase> {
	const unnamed = { uri, name: basename(uri.fsPath).replace(/\.ya?ml$/, ''), line: 0 };
	try {
		const { size } = await vscode.workspace.fs.stat(uri);
		if (size > MAX_READ_BYTES) return unnamed;
		const lines = Buffer.from(await vscode.workspace.fs.readFile(uri))
			.toString('utf8')
			.split('\n');
		const line = lines.findIndex((text) => /^name:\s*\S/.test(text));
		const name = lines[line]?.replace(/^name:\s*/, '').replace(/^(['"])(.*)\1\s*$/, '$2');
		return name === undefined ? unnamed : { uri, name, line };
	} catch {
		// The run of a file that went, or cannot be read, says so.
		return unnamed;
	}
}

/** Items are named by their places, which the command line takes as they are. */
function toItem(tests: vscode.TestController, { folder, manifest, cases }: FoundCapability): vscode.TestItem {
	const label = pickText(`${basename(dirname(folder))}/${basename(folder)}`);
	const item = tests.createTestItem(folder, label, manifest);
	item.range = new vscode.Range(0, 0, 0, 0);
	item.children.replace(
		cases.map(({ uri, name, line }) => {
			const each = tests.createTestItem(uri.fsPath, pickText(name), uri);
			each.range = new vscode.Range(line, 0, line, 0);
			return each;
		}),
	);
	return item;
}

function listChildren(item: vscode.TestItem): vscode.TestItem[] {
	return [...item.children].map(([, child]) => child);
}

/** Returns the cases that a request is about, by their capabilities. */
function chooseCases(
	{ include, exclude = [] }: vscode.TestRunRequest,
	all: readonly vscode.TestItem[],
): ReadonlyMap<vscode.TestItem, readonly vscode.TestItem[]> {
	const isWithin = (list: readonly vscode.TestItem[], item: vscode.TestItem) =>
		list.some(({ id }) => id === item.id || id === item.parent?.id);
	const cases = all.filter(
		(item) =>
			item.parent !== undefined && (include === undefined || isWithin(include, item)) && !isWithin(exclude, item),
	);
	const chosen = new Map<vscode.TestItem, vscode.TestItem[]>();
	for (const each of cases) {
		const { parent } = each;
		if (parent !== undefined) chosen.set(parent, [...(chosen.get(parent) ?? []), each]);
	}
	return chosen;
}

function tellResult(run: vscode.TestRun, item: vscode.TestItem, { cases, problems }: TestedCapability): void {
	const file = `tests/${basename(item.id)}`;
	const judged = cases.find((each) => each.file === file);
	if (judged === undefined) {
		const own = problems.filter((problem) => problem.startsWith(`${file}:`));
		const messages = (own.length > 0 ? own : problems).map((problem) => {
			const [, line = '1', words = problem] = /^[^:]+:(\d+): (.*)$/s.exec(problem) ?? [];
			return own.length > 0 ? placedMessage(item, words, Number(line)) : new vscode.TestMessage(escapeToLine(problem));
		});
		run.errored(item, messages);
	} else if (judged.failures.length === 0) {
		run.passed(item, judged.tookMs);
	} else {
		const messages = judged.failures.map(({ message, line }) => placedMessage(item, message, line));
		run.failed(item, messages, judged.tookMs);
	}
}

/** `line`: from 1. */
function placedMessage({ uri }: vscode.TestItem, words: string, line: number): vscode.TestMessage {
	const message = new vscode.TestMessage(escapeToLine(words));
	if (uri !== undefined) message.location = new vscode.Location(uri, new vscode.Position(Math.max(0, line - 1), 0));
	return message;
}

/** Tells what the cases did not reach, where the results of the run are printed. */
function tellRest(run: vscode.TestRun, { type, name, unusedPermissions, untestedTools }: TestedCapability): void {
	const lines = [
		...(unusedPermissions.length === 0
			? []
			: [vscode.l10n.t('declared, and needed by no case: {0}', unusedPermissions.join(', '))]),
		...(untestedTools.length === 0 ? [] : [vscode.l10n.t('tools without a case: {0}', untestedTools.join(', '))]),
	];
	for (const line of lines) run.appendOutput(`${escapeToLine(`${type}/${name}: ${line}`)}\r\n`);
}
