/**
 * Worktrees in the editor: a list to choose from, and what can be done with one. Threads work in one from here, or in a window of
 * its own; its changes are looked at and brought home here.
 */
import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { sizeText } from '../../base/text/measures.ts';
import type {
	ExtraFound,
	ExtraWay,
	SetUpQuestion,
	WorktreeLosses,
	WorktreeView,
} from '../../features/worktrees/worktree-register.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { askInDialog, confirmLoss, inform, warn, withProgress } from '../notices/notices.ts';
import type { WorktreeDocuments } from './worktree-documents.ts';

type HostWorktrees = TrustedBase['worktrees'];
type BeginThread = WorktreeCommandPorts['beginThread'];

/** Questions about what Git ignores; what is beyond is left out. */
const QUESTIONS = 12;
/** Names in a question of what would be lost. */
const NAMES_SHOWN = 10;

interface Choice extends vscode.QuickPickItem {
	act(): Promise<void>;
}

interface WorktreeCommandPorts {
	base(): Promise<TrustedBase>;
	readonly documents: WorktreeDocuments;
	/** Begins a thread that works in that folder, and shows it once `bind` has settled. */
	beginThread(folder: string, bind: (threadId: ThreadId) => Promise<void>): Promise<void>;
}

/** Offers the list, and does what is chosen. */
export async function showWorktrees({ base, documents, beginThread }: WorktreeCommandPorts): Promise<void> {
	const { t } = vscode.l10n;
	const { worktrees } = await base();
	const views = await worktrees.list(new AbortController().signal);
	const rows = views.map((view): Choice => ({
		label: `$(repo-forked) ${view.name}`,
		...describeView(view),
		act: () => chooseAct(worktrees, documents, beginThread, view),
	}));
	const make: Choice = {
		label: `$(add) ${t('New Thread in a Worktree…')}`,
		detail: t('It works in a folder and on a branch of its own: this folder stays as it is.'),
		act: () => beginInNew(worktrees, beginThread),
	};
	await (await vscode.window.showQuickPick([make, ...rows], { title: t('Worktrees') }))?.act();
}

function describeView({ state, branch, usedAt, bytes, isLarger, isStale, folder }: WorktreeView) {
	const { t } = vscode.l10n;
	const states = { ready: '', 'in use': t('in use'), incomplete: t('incomplete'), damaged: t('damaged') };
	const used = t('used {0}', new Date(usedAt).toLocaleString(vscode.env.language));
	const size = isLarger ? t('at least {0}', sizeText(bytes)) : sizeText(bytes);
	const parts = [states[state], branch ?? '', used, size, isStale ? t('not used for two weeks') : ''];
	return { description: parts.filter((part) => part !== '').join(' · '), detail: shortenHome(folder) };
}

/** `~` in the place of the user's own folder. */
function shortenHome(path: string): string {
	const below = relative(homedir(), path);
	return below.split(sep)[0] === '..' || isAbsolute(below) ? path : join('~', below);
}

async function chooseAct(
	worktrees: HostWorktrees,
	documents: WorktreeDocuments,
	beginThread: BeginThread,
	view: WorktreeView,
): Promise<void> {
	const { t } = vscode.l10n;
	const { name, folder, state, branch } = view;
	const isWhole = state === 'ready' || state === 'in use';
	const bringHome = async (
		doing: string,
		work: (signal: AbortSignal) => Promise<{ readonly conflicts: readonly string[] }>,
	) => {
		const { conflicts } = await withProgress(doing, work);
		if (conflicts.length === 0) inform(t('Done: {0}', name));
		else
			warn(
				t('Both sides have changed the same lines, so nothing was changed: {0}', shortenNames(conflicts).join(', ')),
			);
	};
	const gitChoices: readonly Choice[] = [
		{
			label: `$(git-merge) ${t('Merge')}`,
			detail: t('Commits its work and merges it into the branch of this folder.'),
			act: () => bringHome(t('Merging {0}…', name), (signal) => worktrees.merge(name, undefined, signal)),
		},
		{
			label: `$(repo-pull) ${t('Rebase')}`,
			detail: t('Puts its work on top of the commit of this folder.'),
			act: () => bringHome(t('Rebasing {0}…', name), (signal) => worktrees.rebase(name, undefined, signal)),
		},
		{
			label: `$(git-branch) ${t('Make a Branch')}`,
			detail: t('Commits its work, keeps the branch and removes the worktree.'),
			act: () => keepBranchHere(worktrees, name),
		},
	];
	const whole: readonly Choice[] = [
		{ label: `$(diff-multiple) ${t('Show Changes')}`, act: () => documents.show(worktrees, view) },
		{
			label: `$(arrow-left) ${t('Apply')}`,
			detail: t('Brings its changes into this folder, uncommitted.'),
			act: () => applyHere(worktrees, documents, view),
		},
		{
			label: `$(comment-discussion) ${t('New Thread Here')}`,
			detail: t('It goes on in this worktree.'),
			act: () => beginIn(worktrees, name, beginThread),
		},
		{ label: `$(empty-window) ${t('Open in a Window')}`, act: () => openWindow(folder) },
		...(branch === undefined ? [] : gitChoices),
	];
	const discard: Choice = { label: `$(trash) ${t('Discard…')}`, act: () => discardHere(worktrees, name) };
	await (await vscode.window.showQuickPick([...(isWhole ? whole : []), discard], { title: name }))?.act();
}

async function beginInNew(worktrees: HostWorktrees, beginThread: BeginThread): Promise<void> {
	const { t } = vscode.l10n;
	const name = await vscode.window.showInputBox({
		title: t('New Thread in a Worktree'),
		prompt: t('Name of the worktree, and of its branch behind prowess/'),
		ignoreFocusOut: true,
	});
	if (name) await beginIn(worktrees, name, beginThread);
}

/** Makes the worktree, or goes on in the one of that name, and begins a thread in it. */
async function beginIn(worktrees: HostWorktrees, name: string, beginThread: BeginThread): Promise<void> {
	const { t } = vscode.l10n;
	const opened = await withProgress(t('Making the worktree {0}…', name), (signal) =>
		worktrees.open({ name, from: undefined, askAbout: askWays, askSetUp }, signal),
	);
	// Held again by each of its turns.
	opened.dispose();
	if (opened.uncommitted > 0) inform(t('Uncommitted changes of this folder are not in the worktree.'));
	if (opened.setUp !== undefined && opened.setUp.state !== 'done') {
		warn(t('The worktree was not set up: {0}. {1}', opened.setUp.line, opened.setUp.output));
	}
	await beginThread(opened.folder, (id) => worktrees.noteThread(name, id, new AbortController().signal));
}

/** The user agrees to a command by writing it, or by a button that names it. */
async function askSetUp({ known, changed, likely }: SetUpQuestion): Promise<string> {
	const { t } = vscode.l10n;
	if (known === undefined) {
		const title = t('Set Up Worktrees');
		const prompt = t('Command that each new worktree of this folder begins with. Empty: none.');
		const asked = { title, prompt, placeHolder: likely ?? 'npm ci', ignoreFocusOut: true };
		return (await vscode.window.showInputBox(asked)) ?? '';
	}
	const run = t('Run It');
	const question = t('What this command runs has changed since you agreed to it. Set up the worktree with it?');
	return (await askInDialog(question, [known, ...changed], run)) === run ? known : '';
}

async function askWays(found: readonly ExtraFound[]): Promise<Readonly<Record<string, ExtraWay>>> {
	const { t } = vscode.l10n;
	const ways: Record<string, ExtraWay> = {};
	for (const { path } of found.slice(0, QUESTIONS)) {
		const choices: readonly (vscode.QuickPickItem & { readonly way: ExtraWay })[] = [
			{ label: t('Leave out'), way: 'hide' },
			{ label: t('Copy'), way: 'copy' },
			{ label: t('Link'), detail: t('Commands read it where it is.'), way: 'link' },
		];
		const title = t('Git ignores {0}. In worktrees of this folder:', path);
		ways[path] = (await vscode.window.showQuickPick(choices, { title, ignoreFocusOut: true }))?.way ?? 'hide';
	}
	return ways;
}

async function applyHere(worktrees: HostWorktrees, documents: WorktreeDocuments, view: WorktreeView): Promise<void> {
	const { t } = vscode.l10n;
	const { name, project } = view;
	const done = await withProgress(t('Applying {0}…', name), (signal) =>
		worktrees.apply(name, undefined, undefined, signal),
	);
	const changed = done.written.length + done.merged.length;
	const others = [...done.submodules, ...done.outside];
	if (others.length > 0) warn(t('Not applied, as they lie elsewhere: {0}', shortenNames(others).join(', ')));
	if (done.steering.length > 0)
		warn(t('These files steer what other programs run. Look at them: {0}', shortenNames(done.steering).join(', ')));
	if (done.conflicts.length === 0) {
		inform(
			changed === 0
				? t('This folder has all its changes already.')
				: changed === 1
					? t('1 file was changed in this folder.')
					: t('{0} files were changed in this folder.', changed),
		);
		return;
	}
	const [merge, mine] = [t('Open Merge Editor'), t('Keep Mine')];
	const answer = await warn(
		t(
			'{0} files were changed. Left as they are, because both sides have changed the same lines: {1}',
			changed,
			shortenNames(done.conflicts).join(', '),
		),
		merge,
		mine,
	);
	if (answer === merge) {
		for (const path of done.conflicts.slice(0, NAMES_SHOWN))
			await documents.merge(worktrees, view, path, join(project, path));
	} else if (answer === mine) {
		await worktrees.apply(name, done.conflicts, 'workspace', new AbortController().signal);
	}
}

async function keepBranchHere(worktrees: HostWorktrees, name: string): Promise<void> {
	const { t } = vscode.l10n;
	const { ignored } = await worktrees.losses(name, new AbortController().signal);
	const lost = { changed: [], commits: [], ignored };
	const yes = t('Keep Branch');
	if (ignored.length > 0 && !(await confirmLoss(t('Keep the branch of {0}?', name), lossLines(lost), yes))) return;
	const wish = { branch: undefined, message: undefined };
	const branch = await withProgress(t('Committing {0}…', name), (signal) => worktrees.keepBranch(name, wish, signal));
	inform(t('Its work is on the branch {0}.', branch));
}

async function discardHere(worktrees: HostWorktrees, name: string): Promise<void> {
	const { t } = vscode.l10n;
	const lost = await worktrees.losses(name, new AbortController().signal);
	if (await confirmLoss(t('Discard the worktree {0}?', name), lossLines(lost), t('Discard'))) {
		await withProgress(t('Discarding {0}…', name), (signal) => worktrees.discard(name, signal));
	}
}

function lossLines({ changed, commits, ignored }: WorktreeLosses): string[] {
	const { t } = vscode.l10n;
	return [
		...(changed.length === 0 ? [] : [t('Uncommitted changes are lost:'), ...shortenNames(changed)]),
		...(commits.length === 0 ? [] : [t('Commits that no other branch has are lost:'), ...shortenNames(commits)]),
		...(ignored.length === 0 ? [] : [t('Files that Git ignores are lost:'), ...shortenNames(ignored)]),
	];
}

function shortenNames(names: readonly string[]): string[] {
	return names.length > NAMES_SHOWN ? [...names.slice(0, NAMES_SHOWN), '…'] : [...names];
}

async function openWindow(folder: string): Promise<void> {
	await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), { forceNewWindow: true });
}
