/**
 * Random mixtures of what a thread, the user and another thread do to files, links and folders, and an undo or a restore at the
 * end: nothing of anybody else's may be taken, and what was the thread's is as it was before it, or as the thread left it.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createTrustedBase } from '../../../src/host/compose.ts';
import { brokerRequests } from '../../../src/protocol/turn/broker.ts';
import { newId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { Peer } from '../../../src/protocol/rpc/peer.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { testHost } from '../../support/host-ports.ts';
import { linkedPeers } from '../../support/linked-peers.ts';
import { below, pick, seeded } from '../../support/seeded.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { treeOf } from '../../support/tree-of.ts';

const NAMES = ['a.txt', 'b.txt', 'd/b.txt', 'd/e/c.txt', 'd', 'd/e', 'l', 'd/l', 'n', 'n/x.txt'];
const MOST_ACTS = 9;
const never = new AbortController().signal;

type Tree = Record<string, string>;

/** Server of a thread in which nothing runs. */
const restingServer = {
	call: (def: unknown) =>
		Promise.resolve(def === threadRequests.said ? { text: 'Begin' } : { info: { running: false } }),
} as unknown as Peer;

/** Permissions and content of a file; undefined: it is none. */
function partsOf(entry: string | undefined): readonly string[] | undefined {
	return /^([0-7]+) ([^]*)$/.exec(entry ?? '')?.slice(1);
}

/** True of a file whose permissions and content are each what they may be: somebody else may have changed one of them alone. */
function areParts(
	now: string | undefined,
	allowed: readonly (string | undefined)[],
	there: string | undefined,
	acted: { readonly before: string | undefined; readonly after: string | undefined } | undefined,
): boolean {
	const mayBe = (part: number) => {
		const isLeft = acted !== undefined && partsOf(acted.after)?.[part] === partsOf(there)?.[part];
		return [...allowed, ...(isLeft ? [acted.before] : [])].map((entry) => partsOf(entry)?.[part]);
	};
	return partsOf(now)?.every((value, part) => mayBe(part).includes(value)) ?? false;
}

/** Resolves with the number of names that came back as they were before the thread. Throws where somebody's work was taken. */
export async function mixWriters(seed: number): Promise<number> {
	const random = seeded(seed);
	const host = testHost({
		approvalMode: 'full',
		files: { 'a.txt': 'start\n', 'd/b.txt': 'start\n', 'd/e/c.txt': 'start\n' },
		server: () => Promise.resolve(restingServer),
	});
	const base = await createTrustedBase(host.ports, sharedStore);
	const { near, far } = linkedPeers();
	base.serveServer(near);
	const [thread, other, turnId] = [newId('thr'), newId('thr'), newId('trn')];
	const perform = (threadId: ThreadId, op: string, params: unknown) =>
		far.call(brokerRequests.perform, { opId: newId('op'), op, params, threadId, turnId }, never);
	for (const threadId of [thread, other]) base.beginThread(threadId);
	const tree = () => treeOf(host.workspace, (path) => /^\.(git|vscode|prowess)$/.test(path));
	let count = 0;
	const line = (who: string) => {
		const path = pick(random, NAMES);
		const make = `mkdir -p "$(dirname ${path})" && `;
		return pick(random, [
			() => `${make}{ [ -d ${path} ] || echo '${who} ${(count += 1)}' > ${path}; }`,
			() =>
				`${make}{ [ -d ${path} ] || { rm -f ${path}; ln -s ${pick(random, ['a.txt', 'd', '../n', '/nowhere'])} ${path}; }; }`,
			() => `rm -rf ${path}`,
			() => `rm -rf ${path}; ${make}mkdir ${path}`,
			() => `${make}mv ${pick(random, NAMES)} ${path}`,
			() => `[ ! -f ${path} ] || chmod ${pick(random, ['600', '644', '755'])} ${path}`,
			() => `[ -d ${path} ] || { ${make}printf '${who} \\366 ${(count += 1)}\\n' > ${path}; }`,
			() => `rm -rf ${path}; ${make}mkdir -p ${path}/deep && echo '${who} ${(count += 1)}' > ${path}/deep/f.txt`,
		])();
	};
	const runs = async (threadId: ThreadId, who: string) =>
		void (await perform(threadId, 'shell.run', { argv: ['sh', '-c', `${line(who)} || true`], background: false }));
	const writes = async (threadId: ThreadId, who: string) =>
		void (await perform(threadId, 'fs.write', { path: pick(random, NAMES), content: `${who} ${(count += 1)}\n` }));
	const removes = async (threadId: ThreadId) =>
		void (await perform(threadId, 'fs.delete', { path: pick(random, NAMES), recursive: false }));
	const makes = async (threadId: ThreadId) =>
		void (await perform(threadId, 'fs.makeFolder', { path: pick(random, NAMES) }));
	const acts: readonly (readonly [isOwn: boolean, act: () => Promise<void>])[] = [
		[true, () => runs(thread, 'agent')],
		[true, () => runs(thread, 'agent')],
		[true, () => writes(thread, 'agent')],
		[true, () => removes(thread)],
		[true, () => makes(thread)],
		[
			false,
			async () => void execFileSync('sh', ['-c', `${line('user')} || true`], { cwd: host.workspace, stdio: 'ignore' }),
		],
		[false, () => writes(other, 'other')],
		[false, () => runs(other, 'other')],
	];
	/** Names that were touched, each with whether the thread did it last, and what was there before it did. */
	const last = new Map<string, { readonly isOwn: boolean; readonly before: string | undefined }>();
	/** Names with what the last own act made of what. */
	const own = new Map<string, { readonly before: string | undefined; readonly after: string | undefined }>();
	const story: string[] = [];
	try {
		for (let left = 2 + below(random, MOST_ACTS - 1); left > 0; left--) {
			const [isOwn, act] = pick(random, acts);
			const before: Tree = tree();
			await act();
			const after: Tree = tree();
			for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
				if (before[path] === after[path]) continue;
				story.push(`${isOwn ? 'agent' : 'others'}: ${path}: ${before[path]} => ${after[path]}`);
				const earlier = last.get(path);
				if (isOwn) own.set(path, { before: before[path], after: after[path] });
				last.set(path, { isOwn, before: isOwn && earlier?.isOwn === true ? earlier.before : before[path] });
			}
		}
		const there: Tree = tree();
		const wish = { threadId: thread, turnId, files: true, conversation: false, force: false };
		const isUndo = random() < 0.5;
		await (isUndo ? base.changes.undo(thread, undefined, false, never) : base.restores.restore(wish, never));
		const now: Tree = tree();
		let restored = 0;
		for (const path of new Set([...Object.keys(there), ...Object.keys(now)])) {
			const { isOwn = false, before } = last.get(path) ?? {};
			// An entry that comes back needs its folder.
			const isParent = Object.keys(now).some((each) => each.startsWith(`${path}/`) && now[each] !== there[each]);
			const isFree = there[path] === undefined || (isOwn && before === undefined);
			const needed = isParent && isFree ? now[path] : there[path];
			// A name that others have made again as the thread had left it is the thread's.
			const acted = own.get(path);
			const isAsLeft = acted !== undefined && acted.after === there[path];
			const allowed = [there[path], needed, ...(isOwn ? [before] : []), ...(isAsLeft ? [acted.before] : [])];
			const shown = `seed ${seed}, ${isUndo ? 'undo' : 'restore'}: ${path} is ${now[path]}, of ${String(allowed)}\n${story.join('\n')}`;
			assert.ok(allowed.includes(now[path]) || areParts(now[path], allowed, there[path], acted), shown);
			restored += isOwn && now[path] !== there[path] ? 1 : 0;
		}
		return restored;
	} finally {
		await base.close();
		// Not at the end of the run: the folders of many mixtures take longer to remove than a hook may last.
		for (const folder of [host.workspace, host.home]) rmSync(folder, { recursive: true, force: true });
	}
}
