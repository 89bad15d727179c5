/**
 * Tasks of our own in three languages, with their right answers. Each is a program that reads a text and prints another; the
 * hidden check runs it on inputs that the prompt does not show.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface OwnTask {
	readonly says: string;
	/** Inputs with what is to be printed. */
	readonly cases: readonly (readonly [input: string, output: string])[];
	/** Right answers: an expression over the text `s`, in Python too; a pipeline from standard input. */
	readonly js: string;
	readonly py: string;
	readonly sh: string;
}

const numbers = 's.split(" ").map(Number)';
const integers = 'map(int, s.split())';
const perLine = `tr ' ' '\\n'`;

const own: Readonly<Record<string, OwnTask>> = {
	reverse: {
		says: 'the text backwards',
		cases: [
			['abc', 'cba'],
			['prowess', 'sseworp'],
		],
		js: "[...s].reverse().join('')",
		py: 's[::-1]',
		sh: `awk '{for (i = length($0); i > 0; i--) printf "%s", substr($0, i, 1); print ""}'`,
	},
	upper: {
		says: 'the text in capital letters',
		cases: [['abc d', 'ABC D']],
		js: 's.toUpperCase()',
		py: 's.upper()',
		sh: 'tr a-z A-Z',
	},
	words: {
		says: 'the number of its words',
		cases: [
			['a bc d', '3'],
			['one', '1'],
		],
		js: 's.split(/\\s+/).length',
		py: 'len(s.split())',
		sh: `awk '{print NF}'`,
	},
	sum: {
		says: 'the sum of its numbers',
		cases: [
			['1 2 3', '6'],
			['10 -4', '6'],
		],
		js: `${numbers}.reduce((a, b) => a + b)`,
		py: `sum(${integers})`,
		sh: `awk '{n = 0; for (i = 1; i <= NF; i++) n += $i; print n}'`,
	},
	largest: {
		says: 'the largest of its numbers',
		cases: [
			['3 9 2', '9'],
			['7', '7'],
		],
		js: `Math.max(...${numbers})`,
		py: `max(${integers})`,
		sh: `${perLine} | sort -n | tail -n 1`,
	},
	smallest: {
		says: 'the smallest of its numbers',
		cases: [
			['3 9 2', '2'],
			['7', '7'],
		],
		js: `Math.min(...${numbers})`,
		py: `min(${integers})`,
		sh: `${perLine} | sort -n | head -n 1`,
	},
	sorted: {
		says: 'its words in alphabetical order, with a space between',
		cases: [['b c a', 'a b c']],
		js: "s.split(' ').sort().join(' ')",
		py: "' '.join(sorted(s.split()))",
		sh: `${perLine} | LC_ALL=C sort | paste -sd ' ' -`,
	},
	different: {
		says: 'how many different words it has',
		cases: [
			['a b a', '2'],
			['x', '1'],
		],
		js: "new Set(s.split(' ')).size",
		py: 'len(set(s.split()))',
		sh: `${perLine} | sort -u | wc -l | tr -d ' '`,
	},
	vowels: {
		says: 'the number of the letters a, e, i, o and u in it',
		cases: [
			['education', '5'],
			['xyz', '0'],
		],
		js: '(s.match(/[aeiou]/g) ?? []).length',
		py: "sum(c in 'aeiou' for c in s)",
		sh: `tr -cd aeiou | wc -c | tr -d ' '`,
	},
	square: {
		says: 'the square of its number',
		cases: [
			['12', '144'],
			['0', '0'],
		],
		js: 'Number(s) ** 2',
		py: 'int(s) ** 2',
		sh: `awk '{print $1 * $1}'`,
	},
	parity: {
		says: 'odd or even, as its number is',
		cases: [
			['7', 'odd'],
			['10', 'even'],
		],
		js: "Number(s) % 2 === 1 ? 'odd' : 'even'",
		py: "'odd' if int(s) % 2 else 'even'",
		sh: `awk '{print $1 % 2 ? "odd" : "even"}'`,
	},
	factorial: {
		says: 'the factorial of its number',
		cases: [
			['5', '120'],
			['1', '1'],
		],
		js: 'Array.from({ length: Number(s) }, (_, n) => n + 1).reduce((a, b) => a * b, 1)',
		py: "__import__('math').factorial(int(s))",
		sh: `awk '{n = 1; for (i = 2; i <= $1; i++) n *= i; print n}'`,
	},
	length: {
		says: 'the number of its characters',
		cases: [
			['abc', '3'],
			['a b', '3'],
		],
		js: 's.length',
		py: 'len(s)',
		sh: `awk '{print length($0)}'`,
	},
	first: {
		says: 'its first word',
		cases: [['one two', 'one']],
		js: "s.split(' ')[0]",
		py: 's.split()[0]',
		sh: `awk '{print $1}'`,
	},
	last: {
		says: 'its last word',
		cases: [['one two', 'two']],
		js: "s.split(' ').at(-1)",
		py: 's.split()[-1]',
		sh: `awk '{print $NF}'`,
	},
	doubled: {
		says: 'the text with each character twice',
		cases: [['abc', 'aabbcc']],
		js: "s.replace(/./g, '$&$&')",
		py: "''.join(c * 2 for c in s)",
		sh: `sed 's/./&&/g'`,
	},
	rot13: {
		says: 'the text with each small letter replaced by that 13 places on in the alphabet',
		cases: [
			['abc', 'nop'],
			['nop', 'abc'],
		],
		js: 's.replace(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 84) % 26) + 97))',
		py: "''.join(chr((ord(c) - 84) % 26 + 97) if c.isalpha() else c for c in s)",
		sh: 'tr a-z n-za-m',
	},
	fizz: {
		says: 'fizz if its number is a multiple of 3, else the number',
		cases: [
			['9', 'fizz'],
			['10', '10'],
		],
		js: "Number(s) % 3 === 0 ? 'fizz' : s",
		py: "'fizz' if int(s) % 3 == 0 else s",
		sh: `awk '{print $1 % 3 == 0 ? "fizz" : $1}'`,
	},
	fahrenheit: {
		says: 'degrees Fahrenheit for its degrees Celsius',
		cases: [
			['100', '212'],
			['0', '32'],
		],
		js: '(Number(s) * 9) / 5 + 32',
		py: 'int(s) * 9 // 5 + 32',
		sh: `awk '{print $1 * 9 / 5 + 32}'`,
	},
	dashes: {
		says: 'the text with a dash in place of each space',
		cases: [['a b c', 'a-b-c']],
		js: "s.replaceAll(' ', '-')",
		py: "s.replace(' ', '-')",
		sh: `tr ' ' -`,
	},
};

const languages = {
	js: {
		file: 'main.mjs',
		run: ['node'],
		text: ({ js }: OwnTask) =>
			`import { readFileSync } from 'node:fs';\nconst s = readFileSync(0, 'utf8').trim();\nconsole.log(${js});\n`,
	},
	py: {
		file: 'main.py',
		run: ['/usr/bin/python3'],
		text: ({ py }: OwnTask) => `import sys\ns = sys.stdin.read().strip()\nprint(${py})\n`,
	},
	sh: { file: 'main.sh', run: ['/bin/sh'], text: ({ sh }: OwnTask) => `${sh}\n` },
} as const;
type Language = keyof typeof languages;

interface Answer {
	readonly file: string;
	readonly right: string;
	readonly wrong: string;
}

const answers = new Map<string, Answer>();
for (const [name, task] of Object.entries(own)) {
	for (const [language, { file, text }] of Object.entries(languages)) {
		const wrong = text({ ...task, js: "'nothing'", py: "'nothing'", sh: 'echo nothing' });
		answers.set(`${language}/${name}`, { file, right: text(task), wrong });
	}
}

/** Names of all 60, as `js/reverse`. */
export const ownTaskNames: readonly string[] = [...answers.keys()];

/** The task that a prompt names first; undefined: it names none. */
export function answerTo(prompt: string): Answer | undefined {
	return answers.get(/^Task ([a-z]+\/[a-z0-9]+)\./m.exec(prompt)?.[1] ?? '');
}

/** Writes these tasks as a set for `prowess eval run`. */
export function writeOwnTasks(folder: string, names: readonly string[]): void {
	for (const full of names) {
		const [language = '', name = ''] = full.split('/');
		const { file, run } = languages[language as Language];
		const { says, cases } = own[name] as OwnTask;
		const write = (path: string, text: string) => {
			mkdirSync(dirname(join(folder, full, path)), { recursive: true });
			writeFileSync(join(folder, full, path), text);
		};
		const prompt = `Task ${full}. Make the program ${file}: it reads a line of text from standard input and prints ${says}.`;
		write(
			'task.yaml',
			`prompt: ${JSON.stringify(prompt)}\ncheck: node check.mjs\ntests: [example.txt]\nturnMs: 60000\ncheckMs: 30000\n`,
		);
		write('files/example.txt', `${cases[0]?.join(' → ')}\n`);
		write('hidden/check.mjs', checkOf([...run, file], cases));
	}
}

function checkOf(command: readonly string[], cases: OwnTask['cases']): string {
	return `import { spawnSync } from 'node:child_process';
const [command, ...args] = ${JSON.stringify(command)};
for (const [input, output] of ${JSON.stringify(cases)}) {
	const { stdout, stderr } = spawnSync(command, args, { input: input + '\\n', encoding: 'utf8', timeout: 10_000 });
	if (stdout.trim() !== output) {
		console.log('for ' + JSON.stringify(input) + ' it prints ' + JSON.stringify(stdout) + ', expected ' + JSON.stringify(output) + ' ' + stderr);
		process.exit(1);
	}
}
`;
}
