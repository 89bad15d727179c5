/** Command lines as models write them: what the host is asked to run, what is shown, and what the model is told. */
import { OpFailure, MemoryHost } from './memory-host.ts';
import { call, scriptedModel, text } from './scripted-model.ts';
import { Transcript } from './transcript.ts';

describe('A command line', () => {
	let transcript: Transcript;

	afterEach(() => transcript.close());

	const done = (output: string) => ({
		commandId: 'cmd_1',
		running: false,
		exitCode: 0,
		signal: null,
		timedOut: false,
		output,
		omitted: 0,
	});

	async function play(name: string, input: object, ...outputs: (string | OpFailure)[]): Promise<void> {
		const host = new MemoryHost({}, {
			'shell.run': () => {
				const next = outputs.shift() ?? '';
				return typeof next === 'string' ? Promise.resolve(done(next)) : Promise.reject(next);
			},
		});
		const model = scriptedModel([[call('shell_run', input)], text('That is all.')]);
		transcript = new Transcript({ model, host });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Look at it');
		await transcript.matches(name, threadId);
	}

	it('that writes a file asks for the command and the file, and names both', async () => {
		await play('line-into-file', { command: 'npm test > "test log.txt" 2>&1' });
	});

	it('that reads a file and adds to another is no line for a shell either', async () => {
		await play('line-from-file', { command: 'sort -u < names.txt >> all.txt' });
	});

	it('whose file the user refuses tells the model so', async () => {
		const why = 'the user said no to this shell.run';
		await play('line-denied', { command: 'echo x > .env' }, new OpFailure('denied', 'DENIED_BY_USER', why));
	});

	it('with errors in its pipe and other joins keeps their order', async () => {
		await play('line-joined', { command: 'cd app && make 2>&1 | tail -n 5 || cat make.log; git status' }, 'one\ntwo\n');
	});

	it('with variables before a command hands them on', async () => {
		await play('line-variables', { command: "CI=1 NAME='a b' npm test" }, 'ok\n');
	});

	it('with wildcards for a program that reads leaves them to the host', async () => {
		await play('line-wildcards', { argv: ['grep', '-n', 'TODO', 'src/*.ts'] }, 'src/a.ts:1:TODO\n');
	});

	it('with wildcards for one that removes leaves them to the host', async () => {
		await play('line-removes', { argv: ['rm', '-f', '*.tmp', '>', 'log.txt'] });
	});

	it('with wildcards for any other is a line for a shell', async () => {
		await play('line-for-shell', { argv: ['make', '*.tmp', '>', 'log.txt'] });
	});
});
