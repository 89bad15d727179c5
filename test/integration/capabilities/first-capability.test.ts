/** Follows docs/first-capability.md literally, as a stranger does: writes its files, runs its commands, compares what they print. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { workerSkills } from '../../support/worker-skills.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/first-capability.md'), 'utf8');

type Step =
	| { readonly kind: 'file'; readonly path: string; readonly text: string }
	| { readonly kind: 'commands'; readonly lines: readonly string[]; readonly printed: string | undefined };

/** A line with a path and a colon names the file that the next block is; what follows commands is what they print. */
function stepsOf(text: string): readonly Step[] {
	const blocks = [...text.matchAll(/(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm)];
	return blocks.flatMap(([, path, language, body = ''], at): Step[] => {
		if (path !== undefined) return [{ kind: 'file', path, text: body }];
		if (language !== 'sh') return [];
		const [, next, printed, output] = blocks[at + 1] ?? [];
		const isOutput = next === undefined && (printed === 'text' || printed === 'json');
		const lines = body.split('\n').filter((line) => line !== '');
		return [{ kind: 'commands', lines, printed: isOutput ? output : undefined }];
	});
}

/** The words of a line that quotes only with `'` and `"`. */
function wordsOf(line: string): readonly string[] {
	return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
		([, single, double, plain]) => single ?? double ?? plain ?? '',
	);
}

describe('The page on the first capability', function () {
	this.timeout(commandLimitMs);

	it('does what it says, when it is followed from an empty folder', async () => {
		const user = new User();
		user.sets();
		const model = await startModelServer([{ text: 'Milk is there twice.' }, { text: 'Buy milk first.' }]);
		const named = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
		let commands = 0;
		try {
			for (const step of stepsOf(page)) {
				if (step.kind === 'file') {
					user.writes(step.path, step.text);
					continue;
				}
				let printed = '';
				for (const line of step.lines) {
					const [program, ...words] = wordsOf(line);
					assert.equal(program, 'prowess', line);
					const needsModel = ['review-notes', 'shopper'].includes(words[2] ?? '') && words[1] === 'run';
					const { stdout, stderr, code } = await user.runs(needsModel ? [...words, ...named] : words);
					const isRefused: boolean = step.printed?.includes('NOT valid') === true;
					assert.equal(code, isRefused ? 1 : 0, `${line}\n${stdout}${stderr}`);
					if (needsModel) assert.match(stdout, /milk/i);
					if (words[1] !== 'new') printed += stdout;
					commands += 1;
				}
				if (step.printed !== undefined) assert.ok(printed.endsWith(step.printed), `${printed}\nfor\n${step.printed}`);
			}
		} finally {
			await model.close();
		}
		assert.ok(commands >= 15, `${commands} commands`);
	});

	it('makes the same in Python, as it says', async function () {
		if (workerSkills.some(({ runtime, lack }) => runtime === 'python-worker' && lack !== undefined)) this.skip();
		const user = new User();
		user.sets();
		user.writes('notes.txt', 'milk\nbread\n');
		const made = await user.runs(['capability', 'new', 'words', '--as', 'python-worker']);
		assert.equal(made.code, 0, made.stderr);
		const run = ['capability', 'run', 'words', '--tool', 'find_word', '--params', '{"path":"notes.txt","word":"milk"}'];
		const { stdout, stderr } = await user.runs([...run, '--trust', '--approve', 'auto']);
		assert.deepEqual(JSON.parse(stdout), ['milk'], stderr);
	});
});
