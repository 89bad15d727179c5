/**
 * Public repositories with hooks, custom agents and plugins, given as PROWESS_CORPORA=FOLDER with one folder for each: the
 * product's own readers read each file, without running or fetching anything, and the reason of each that cannot be used is printed.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isPlainData } from '../src/base/text/lenient.ts';
import { parseJsonc } from '../src/base/text/jsonc.ts';
import { toErrorMessage } from '../src/base/text/message-of.ts';
import { FolderTree } from '../src/catalog/marketplace/indexes/folder-tree.ts';
import { readTreeIndex } from '../src/catalog/marketplace/indexes/tree-index.ts';
import { PLUGINS_FOLDER } from '../src/protocol/capability/plugin.ts';
import { readAgentFile } from '../src/features/agents/custom/read-agent-file.ts';
import { readHookFile } from '../src/trust/gate/hooks/foreign/read-hook-file.ts';

const folder = process.env['PROWESS_CORPORA'];
const signal = new AbortController().signal;
const HOOKS =
	/^(?:(?!.*\.windsurf\/).*\/)?(?:hooks\/[^/]+\.json|hooks\.json|\.(?:claude|gemini)\/settings(?:\.local)?\.json)$/;
const AGENT = /(?:^|\/)agents\/(?:[^/]+\/){0,2}(?!readme)[^/]+\.md$/i;

/** Texts of hooks. A template that an author fills in a hundred times is one kind, and counts once. */
const HOOK_TEXTS = /"(?:prompt|command|description|matcher|timeout)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|\d+)/g;

/** Why no hook of a file runs, in words; undefined: one does. */
function whyNoneRuns(content: string): string | undefined {
	try {
		const json = parseJsonc(content);
		if (isPlainData(json) && json['hooks'] === undefined) return 'no hooks';
		const { hooks, problems } = readHookFile(json, 'linux');
		return hooks.length > 0 ? undefined : problems.join('; ');
	} catch (error) {
		return toErrorMessage(error);
	}
}

/** Files that count, and why the others of them cannot be used. */
class Tally {
	readonly #seen = new Set<string>();
	readonly #lost: string[] = [];
	#kept = 0;

	/** False for a content that was counted. */
	isNew(content: string): boolean {
		return this.#seen.size < this.#seen.add(content).size;
	}

	/** `why` undefined: it can be used. */
	add(what: string, why: string | undefined): void {
		if (why === undefined) this.#kept += 1;
		else this.#lost.push(`${what}: ${why.slice(0, 300)}`);
	}

	/** Prints the figure, and asserts that the share that can be used is at least `least`. */
	tell(kind: string, least: number): void {
		const all = this.#kept + this.#lost.length;
		console.log(`      ${this.#kept} of ${all} ${kind}`);
		for (const each of this.#lost) console.log(`        ${each}`);
		assert.ok(all > 0 && this.#kept >= least * all);
	}
}

describe('soak: what others publish', function () {
	this.timeout(600_000);
	let repositories: readonly string[] = [];

	before(function () {
		if (folder === undefined) {
			console.log('      skipped: set PROWESS_CORPORA to a folder with repositories');
			this.skip();
		}
		repositories = readdirSync(folder).map((name) => join(folder, name));
	});

	const eachFile = (pattern: RegExp, read: (path: string, content: string) => void) => {
		for (const root of repositories) {
			for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
				const path = join(entry.parentPath, entry.name);
				if (!entry.isFile() || !pattern.test(relative(root, path)) || path.includes('/node_modules/')) continue;
				read(relative(folder ?? '', path), readFileSync(path, 'utf8'));
			}
		}
	};

	it('has hooks of which some run, in nearly each file of hooks', () => {
		const tally = new Tally();
		const repositoriesWithHooks = new Set<string>();
		let files = 0;
		let running = 0;
		eachFile(HOOKS, (path, content) => {
			if (!/"hooks"\s*:\s*(?:\{\s*"|\[\s*\{)/.test(content)) return;
			const why = whyNoneRuns(content);
			// A list of patterns may hold files of hooks.
			if (why === 'no hooks') return;
			const [repository = ''] = path.split('/', 1);
			repositoriesWithHooks.add(repository);
			files += 1;
			if (why === undefined) running += 1;
			const kind = `${repository} ${content.replaceAll(HOOK_TEXTS, '').replaceAll(/\s/g, '')}`;
			if (tally.isNew(kind)) tally.add(path, why);
		});
		const where = `${running} of ${files} files in ${repositoriesWithHooks.size} repositories`;
		tally.tell(`kinds of hook files; ${where}`, 45 / 47);
	});

	it('has agents that can be used, in nearly each file', () => {
		const tally = new Tally();
		eachFile(AGENT, (path, content) => {
			// Documents in a folder of that name have no head.
			if (!/^\uFEFF?---\r?\n[\s\S]*?^(?:name|description)\s*:/m.test(content) || !tally.isNew(content)) return;
			try {
				readAgentFile(content, path, 'unnamed');
				tally.add(path, undefined);
			} catch (error) {
				tally.add(path, toErrorMessage(error));
			}
		});
		tally.tell('custom agents', 0.97);
	});

	it('has plugins that can be installed, in nearly each marketplace', async () => {
		const tally = new Tally();
		let elsewhere = 0;
		let empty = 0;
		const hidden: string[] = [];
		for (const root of repositories) {
			const source = { location: root, key: undefined };
			const name = relative(folder ?? '', root);
			if (!readdirSync(root).includes('.claude-plugin')) continue;
			const refuse = () => Promise.reject(new Error('nothing is fetched'));
			try {
				const tree = await FolderTree.at(root);
				const { offers, problems } = await readTreeIndex(tree, source, refuse, refuse, signal);
				for (const problem of problems.filter((each) => /: plugins\.\d+: /.test(each))) {
					if (/has nothing that is taken|there is no folder/.test(problem)) empty += 1;
					else tally.add(name, problem.slice(root.length + 2));
				}
				for (const offer of offers.filter(({ about }) => about.type === PLUGINS_FOLDER)) {
					if (offer.isRemote) elsewhere += 1;
					else {
						const why = await offer.fetch(signal).then(() => undefined, toErrorMessage);
						// Refused on purpose: a character that nobody sees may be an order to a model.
						if (why?.includes('which is not seen') === true) hidden.push(`${name} ${offer.about.name}: ${why}`);
						else tally.add(`${name} ${offer.about.name}`, why);
					}
				}
			} catch (error) {
				tally.add(name, toErrorMessage(error));
			}
		}
		for (const each of hidden) console.log(`      refused for a character that is not seen: ${each}`);
		tally.tell(
			`plugins beside their marketplaces; ${elsewhere} lie elsewhere, ${empty} hold nothing that is taken, such as servers of languages`,
			216 / 218,
		);
	});
});
