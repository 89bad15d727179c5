/**
 * Examines this editor, the host, the server and the models. The checks change nothing; the only program that they run
 * is one that tries to get out of the sandbox.
 */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { SettingsPort, WorkspacePort } from '../../contract/ports/ports.ts';
import { hooksReport } from '../../trust/gate/hooks/hooks-in-force.ts';
import { sandboxReport } from '../../machine/sandbox/proof/sandbox-proof-text.ts';
import { ledgerHealth } from '../../trust/record/ledger/ledger-health.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { overruledText } from '../../protocol/pages/usage-text.ts';
import { modelRequests } from '../../protocol/turn/models.ts';
import { settingProblemText } from '../../protocol/settings/read-settings.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { serverRequests } from '../../protocol/server.ts';
import { extensionLimits } from '../editor/limits.ts';
import { explainError } from '../notices/user-message.ts';
import { joinTexts, type Text, text, translateText, type Translation } from '../../protocol/text/text.ts';

export interface DoctorPorts {
	readonly version: string;
	readonly home: string;
	readonly ripgrepCandidates: readonly string[];
	readonly workspace: WorkspacePort;
	readonly settings: Pick<SettingsPort, 'problems' | 'organisation'>;
	base(): Promise<TrustedBase>;
	server(): Promise<Peer>;
}

export async function writeDoctorReport(ports: DoctorPorts): Promise<string> {
	const [editor, host, server, models] = await Promise.all([
		checkEditor(ports),
		runDoctorChecks(text('Trusted base and ledger'), async () => [
			...(await checkEditorLedger(ports)),
			await checkEditorRules(ports),
			...listEditorOrganisation(ports),
			...(await checkEditorHooks(ports)),
			...(await checkEditorSandbox(ports)),
			...(await checkEditorJudgement(ports)),
		]),
		runDoctorChecks(text('Server'), () => checkEditorServer(ports)),
		runDoctorChecks(text('Models'), () => checkEditorModels(ports)),
	]);
	return doctorText(
		[
			{ title: text('Editor'), checks: editor },
			{ title: text('Host'), checks: host },
			{ title: text('Server'), checks: server },
			{ title: text('Models'), checks: models },
		],
		(template) => vscode.l10n.t(template),
	);
}

async function checkEditor({
	version,
	home,
	ripgrepCandidates,
	workspace,
	settings,
}: DoctorPorts): Promise<DoctorCheck[]> {
	const ripgrep = await firstExisting(ripgrepCandidates);
	const homeUri = vscode.Uri.file(home);
	const isWritable = vscode.workspace.fs.isWritableFileSystem(homeUri.scheme);
	const git = vscode.extensions.getExtension('vscode.git');
	return [
		{ name: 'Prowess', ok: undefined, detail: version },
		{ name: 'VS Code', ok: undefined, detail: `${vscode.env.appName} ${vscode.version} (${vscode.env.appHost})` },
		{ name: 'Node', ok: undefined, detail: `${process.versions.node}, ${process.platform} ${process.arch}` },
		{ name: text('Home'), ok: isWritable !== false, detail: home },
		{
			name: text('Workspace'),
			ok: workspace.isTrusted,
			detail: workspace.isTrusted ? text('trusted') : text('not trusted, so nothing is started'),
		},
		{
			name: text('Settings'),
			ok: settings.problems.length === 0,
			detail: settings.problems.map(settingProblemText).join('; ') || text('all valid'),
		},
		{
			name: text('Folders'),
			ok: undefined,
			detail: workspace.folders.map(({ path }) => path).join(', ') || text('none'),
		},
		{ name: 'ripgrep', ok: undefined, detail: ripgrep ?? text('not found; the built-in search is used') },
		{
			name: text('Git of the editor'),
			ok: undefined,
			detail:
				git === undefined
					? text('not installed')
					: text('version {version}', { version: String(git.packageJSON.version) }),
		},
	];
}

async function checkEditorLedger(ports: DoctorPorts): Promise<DoctorCheck[]> {
	const { ok, detail } = await withTimeLimit(
		{ what: 'checking the ledger', timeoutMs: extensionLimits.doctorCheckMs },
		async (signal) => ledgerHealth((await ports.base()).ledger, signal),
	);
	return [{ name: text('Trusted base and ledger'), ok, detail }];
}

async function checkEditorRules(ports: DoctorPorts): Promise<DoctorCheck> {
	const problems = await withTimeLimit(
		{ what: 'reading the rules', timeoutMs: extensionLimits.doctorCheckMs },
		async (signal) => (await ports.base()).policy.problems(signal),
	);
	return { name: text('Rules'), ok: problems.length === 0, detail: problems.join('; ') || text('all valid') };
}

/** Lists what the user's organisation has set; nothing where it has set no rules. */
function listEditorOrganisation({ settings: { organisation } }: DoctorPorts): DoctorCheck[] {
	if (organisation === undefined) return [];
	const { name, place } = organisation;
	return [
		{ name: text('Set by your organisation'), ok: true, detail: text('rules of {name}, in {place}', { name, place }) },
		...organisation.words().map((detail) => ({ name: text('Set by your organisation'), ok: undefined, detail })),
	];
}

async function checkEditorHooks(ports: DoctorPorts): Promise<DoctorCheck[]> {
	const { ok, detail, more } = hooksReport(await (await ports.base()).policy.hooks());
	return [
		{ name: text('Hooks'), ok: more.length === 0 ? undefined : ok, detail },
		...more.map((line) => ({ name: text('Hook'), ok: undefined, detail: line })),
	];
}

async function checkEditorSandbox(ports: DoctorPorts): Promise<DoctorCheck[]> {
	const base = await ports.base();
	const proof = await base.proveCommandSandbox();
	const { ok, detail, more } = sandboxReport(await base.commandSandbox(), proof);
	return [
		// Without one Prowess works, and asks more.
		{ name: text('Sandbox'), ok: more.length === 0 ? undefined : ok, detail },
		...more.map((line) => ({ name: text('In the sandbox'), ok: undefined, detail: line })),
	];
}

/** Lists what the user has overruled in all projects. */
async function checkEditorJudgement(ports: DoctorPorts): Promise<DoctorCheck[]> {
	const overruled = (await ports.base()).usage.overrules.list();
	return overruled.length === 0
		? [{ name: text('Judgement'), ok: undefined, detail: text('nothing was overruled') }]
		: overruled.map((each) => ({
				name: text('Judgement'),
				ok: undefined,
				detail: joinTexts(...(each.project === '' ? [] : [each.project]), overruledText(each)),
			}));
}

async function checkEditorServer(ports: DoctorPorts): Promise<DoctorCheck[]> {
	const { checks } = await withTimeLimit(
		{ what: 'asking the server', timeoutMs: extensionLimits.doctorCheckMs },
		async (signal) => (await ports.server()).call(serverRequests.doctor, {}, signal),
	);
	return checks;
}

async function checkEditorModels(ports: DoctorPorts): Promise<DoctorCheck[]> {
	const { models, selected, problems } = await withTimeLimit(
		{ what: 'listing the models', timeoutMs: extensionLimits.doctorCheckMs },
		async (signal) => (await ports.server()).call(modelRequests.list, {}, signal),
	);
	return [
		{ name: text('Models'), ok: models.length > 0, detail: text('{n} available', { n: models.length }) },
		{ name: text('Selected'), ok: selected !== null, detail: selected ?? text('none: run "Connect a Model"') },
		...problems.map(({ provider, message }) => ({ name: provider, ok: false, detail: message })),
	];
}

/** A check that cannot be made is a finding, not a failure of the doctor. */
async function runDoctorChecks(name: Text, check: () => Promise<DoctorCheck[]>): Promise<DoctorCheck[]> {
	try {
		return await check();
	} catch (error) {
		return [{ name, ok: false, detail: explainError(error) }];
	}
}

async function firstExisting(candidates: readonly string[]): Promise<string | undefined> {
	for (const candidate of candidates) {
		try {
			await vscode.workspace.fs.stat(vscode.Uri.file(candidate));
			return candidate;
		} catch {
			// Not there; the next candidate may be.
		}
	}
	return undefined;
}

/** The report of the doctor, as Markdown. Details are quoted as code: some of them come from other programs, in English. */
interface DoctorCheck {
	readonly name: Text | string;
	/** `undefined`: information only. */
	readonly ok: boolean | undefined;
	readonly detail: Text | string;
}

function doctorText(
	groups: readonly { readonly title: Text; readonly checks: readonly DoctorCheck[] }[],
	translate: Translation,
): string {
	const translateWords = (words: Text | string) =>
		typeof words === 'string' ? words : translateText(words, translate);
	const bad = groups.flatMap(({ checks }) => checks).filter(({ ok }) => ok === false);
	const names = bad.map(({ name }) => translateWords(name)).join(', ');
	const sum = bad.length === 0 ? text('All checks passed.') : text('Failed: {names}.', { names });
	const sections = groups.map(({ title, checks }) =>
		[`## ${translateWords(title)}`, '', ...checks.map((check) => renderCheckLine(check, translateWords)), ''].join(
			'\n',
		),
	);
	return [`# ${translateWords(text('Prowess Doctor'))}`, '', translateWords(sum), '', ...sections].join('\n');
}

function renderCheckLine({ name, ok, detail }: DoctorCheck, said: (words: Text | string) => string): string {
	const mark = ok === undefined ? '' : ok ? '✓ ' : '✗ ';
	const words = said(detail);
	return `- ${mark}**${said(name)}**${words === '' ? '' : `: ${quoteAsCode(words)}`}`;
}

function quoteAsCode(words: string): string {
	const fence = words.includes('`') ? '``' : '`';
	return `${fence}${words.replaceAll(/\s+/g, ' ').slice(0, 500)}${fence}`;
}
