/**
 * Generated lines, read as the server reads a call and run by the host, beside what `bash` makes of each: whatever is read does
 * the same, and what only a shell can do stays a line for one. A pipe fails with any of its programs, as with `pipefail`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandState } from '../../../src/protocol/ops/definitions/commands/shell.ts';
import { ops } from '../../../src/protocol/op-table/ops.ts';
import { commandsOfLine } from '../../../src/protocol/ops/commands/commands-of-line.ts';
import { below, pick, seeded } from '../../support/seeded.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../support/workspace-on-disk.ts';

type Random = () => number;

const files = { 'a.txt': 'pear\napple\n', 'b.txt': 'fig\n', 'c d.txt': 'one\n', 'sub/e.txt': 'e\n' };

/** Lines as agents write them, collected by hand. */
const WRITTEN = [
	'cat a.txt | sort | head -1',
	'cat a.txt b.txt | wc -l',
	'sort a.txt > sorted.txt && cat sorted.txt',
	'rm -f *.tmp; ls',
	'cp a.txt sub/ && ls sub',
	'mkdir -p new/deep && touch new/deep/x && ls new/deep',
	"cat 'c d.txt'",
	'cat "c d.txt"',
	'cat c\\ d.txt',
	'echo "a  b" c',
	"echo 'it'\\''s'",
	"printf '%s-' 1 2 3",
	'ls *.txt',
	'ls sub/*.txt',
	'ls ?.txt',
	'ls [ab].txt',
	'ls none*.txt || echo no',
	'cd sub && ls',
	'cd sub; cat e.txt',
	'cd none && ls',
	'grep -c p a.txt',
	"grep -n 'a\\|p' a.txt",
	"grep -E 'pear|fig' a.txt b.txt",
	'grep pear none.txt 2>/dev/null || echo missing',
	'ls none.txt 2>&1 | wc -l',
	'cat < b.txt',
	'sort < a.txt > s.txt; cat s.txt',
	'echo one > n.txt; echo two >> n.txt; cat n.txt',
	'true && echo yes || echo no',
	'false && echo yes || echo no',
	'! false && echo inverted',
	'test -f a.txt && echo there',
	'[ -d sub ] && echo folder',
	'[ a = b ] || echo other',
	"X=1 env | grep -c '^X=1$'",
	'echo $((2+3))',
	'echo $(cat b.txt)',
	'for f in a b; do echo $f; done',
	'if [ -f a.txt ]; then echo y; fi',
	"cat <<'EOF'\nx $HOME\nEOF",
	"sed -n '1p' a.txt",
	"sed 's/pear/plum/' a.txt",
	"awk '{print $1}' a.txt",
	'cut -c1-2 a.txt',
	'tr a-z A-Z < b.txt',
	'head -c 3 a.txt',
	'tail -n 1 a.txt # the last',
	"find . -name '*.txt' | sort",
	'xargs -n1 echo < b.txt',
	'basename sub/e.txt .txt',
	'diff a.txt b.txt > d.txt; cat d.txt | wc -l',
	'echo a\\>b',
	"echo '>' x",
	'echo "$\'q\'"',
	'wc -l < a.txt',
];

interface End {
	readonly isOk: boolean;
	readonly output: string;
	readonly files: string;
}

const PLAIN = [
	'x',
	'a.txt',
	'-',
	'x=1',
	'--k=v',
	'a:b',
	'1',
	'2',
	'{}',
	'@{u}',
	'x#y',
	'!x',
	'[',
	']',
	'%',
	'+',
	'{x',
	'^',
];
const QUOTED = [
	"'*'",
	"'$HOME'",
	'"a b"',
	"'a b'",
	'"x\\"y"',
	'"\\$z"',
	"it\\'s",
	'\\*',
	'\\$x',
	'"#"',
	"''",
	'"~"',
	'\'a\'"b"c',
	'"*.txt"',
];
/** A shell acts on each. */
const ACTED_ON = [
	'*',
	'*.txt',
	'?.txt',
	'[ab].txt',
	'~',
	'~/x',
	'$HOME',
	'"$HOME"',
	'$(echo x)',
	'`echo x`',
	'{x,y}',
	'{1..3}',
	'$((1+1))',
	'x=~',
	"$'a'",
	'"`echo y`"',
];
const SPECIAL = ['#', '\\', '$', '!', '{', '}', '"$"', '=', '\\\n', '&'];

function word(random: Random): string {
	const kind = below(random, 20);
	return pick(random, kind < 11 ? PLAIN : kind < 17 ? QUOTED : kind < 19 ? ACTED_ON : SPECIAL);
}

function wordsOf(random: Random): string {
	return Array.from({ length: below(random, 4) }, () => word(random)).join(' ');
}

/** Each command of a line writes a file of its own, and none reads it: which program of a pipe comes first nobody knows. */
function command(random: Random, isFirst: boolean, written: string): string {
	const read = pick(random, ['a.txt', 'b.txt', '"c d.txt"', 'sub/e.txt', 'none.txt']);
	const producers = [
		`echo ${wordsOf(random)}`,
		`cat ${read}`,
		`sort < ${read}`,
		`printf '%s\\n' ${wordsOf(random)} end`,
		'true',
		'false',
		`A=1 B='x y' env -u PATH printenv A B`,
		'ls sub none',
		'no-such-program x',
		`grep -c e ${read}`,
		'cat *.txt',
		'echo [ab]*.txt s*/?.txt "*"',
		"ls 'c '*",
		'wc -c s*/',
		'grep -l e *.none *.txt',
	];
	const filters = ['sort', 'cat', 'wc -l', 'tr a-z A-Z', 'grep -c a', 'sort -u', `cat - ${read}`];
	const redirect = pick(random, [
		'',
		'',
		'',
		'',
		`> ${written}`,
		`>> ${written}`,
		`2> ${written}`,
		`&> ${written}`,
		`>${written} 2>&1`,
		'2>&1',
		'2>/dev/null',
		'>/dev/null',
		'>&2',
		`2>&1 > ${written}`,
		`>| ${written}`,
		'> /dev/null 2>&1',
		'> none/x',
		`3> ${written}`,
		'2>&-',
	]);
	return `${pick(random, isFirst ? producers : filters)} ${redirect}`.trim();
}

function line(random: Random): string {
	const names = ['o.txt', 'p.txt', '"q r.txt"', "'t'"];
	let text = '';
	for (let left = 1 + below(random, 4), isFirst = true; left > 0; left--) {
		text += command(random, isFirst, names[left - 1] ?? '');
		const join = left === 1 ? '' : pick(random, JOINS);
		text += join;
		isFirst = !join.includes('|') || join.includes('||');
	}
	return text + pick(random, ['', '', '', ';', '\n', ' # done', ' ']);
}

const JOINS = [' | ', ' |& ', ' 2>&1 | ', ' && ', ' || ', '; ', '\n', ' # why\n', ' ;', '&&', '||', ' &&\n'];

/** Returns an `echo` of random signs that can name no program that is there, and cannot leave the folder. */
function noise(random: Random): string {
	const signs = [...` '"\\|&;<>$*?~#(){}[]!=ab01 2\n`];
	return `echo ${Array.from({ length: 1 + below(random, 12) }, () => pick(random, signs)).join('')}`;
}

describe('A generated line', function () {
	this.timeout(120_000);
	let disk: WorkspaceOnDisk;
	let folder: string;

	beforeEach(async function () {
		if (process.platform !== 'linux') this.skip();
		disk = await workspaceOnDisk();
		folder = tempDir('bash');
	});
	afterEach(() => disk.close());

	const begin = (root: string) => {
		for (const name of existsSync(root) ? readdirSync(root) : []) rmSync(join(root, name), { recursive: true });
		mkdirSync(join(root, 'sub'), { recursive: true });
		for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
	};
	// Two programs may write at the same time, parts of lines, too. Some name themselves by their path.
	const sorted = (output: string) =>
		[...output.replaceAll(/(?:\/[\w.-]+)+\/(\w+): /g, '$1: ')].toSorted().join('').trim();
	const seen = (root: string) =>
		readdirSync(root, { recursive: true })
			.map(String)
			.toSorted()
			.map((path) =>
				statSync(join(root, path)).isFile() ? `${path}: ${sorted(readFileSync(join(root, path), 'utf8'))}` : path,
			)
			.join('\n');
	function endOfBash(text: string): End & { readonly complains: boolean } {
		begin(folder);
		const { PATH = '' } = process.env;
		const { status, output } = spawnSync('bash', ['-o', 'pipefail', '-c', `exec 2>&1\n${text}`], {
			cwd: folder,
			env: { PATH, LC_ALL: 'C', HOME: '/nowhere' },
			stdio: ['ignore', 'pipe', 'ignore'],
			encoding: 'utf8',
			timeout: 20_000,
		});
		const said = output[1] ?? '';
		const own = /^bash: .*\n?/gm;
		return {
			isOk: status === 0,
			output: sorted(said.replaceAll(own, '')),
			files: seen(folder),
			complains: own.test(said) || text.includes('no-such-program'),
		};
	}

	/** Undefined when the line is for a shell. */
	async function ownEnd(text: string): Promise<End | 'refused' | undefined> {
		const read = commandsOfLine(text, 'linux');
		if (read === undefined || read.background === true || /^(?:ba)?sh$/.test(read.argv[0] ?? '')) {
			return undefined;
		}
		begin(disk.root);
		let state: CommandState;
		try {
			state = await disk.perform('shell.run', ops['shell.run'].params.parse(read));
		} catch {
			return 'refused';
		}
		return { isOk: state.exitCode === 0, output: sorted(state.output), files: seen(disk.root) };
	}

	async function compare(text: string): Promise<'shell' | 'same' | 'refused'> {
		const own = await ownEnd(text);
		if (own === undefined) {
			return 'shell';
		}
		const bash = endOfBash(text);
		if (own === 'refused') {
			assert.equal(bash.isOk, false, `refused, and bash runs it: ${JSON.stringify(text)}`);
			return 'refused';
		}
		const { complains, ...end } = bash;
		// For a program or file that is not found we use our own words instead of bash's, so only success is compared.
		const compared = complains ? { isOk: own.isOk } : own;
		assert.deepEqual(compared, complains ? { isOk: end.isOk } : end, JSON.stringify(text));
		return 'same';
	}

	it('of a day’s work do what bash does, or are left to a shell', async () => {
		const found = { shell: 0, same: 0, refused: 0 };
		for (const text of WRITTEN) found[await compare(text)] += 1;
		assert.ok(found.same >= WRITTEN.length * 0.8, JSON.stringify(found));
	});

	for (const [what, make, count, least] of [
		['of commands, files and joins', line, 250, 0.5],
		['of signs at random', noise, 300, 0.1],
	] as const) {
		it(`${what} does what bash does, or is left to a shell`, async () => {
			const random = seeded(20_261_125);
			const found = { shell: 0, same: 0, refused: 0 };
			for (let n = 0; n < count; n++) {
				found[await compare(make(random))] += 1;
			}
			assert.ok(found.same >= count * least, JSON.stringify(found));
		});
	}
});
