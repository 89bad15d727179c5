/** Commands of the command line beside the extension: work that gets a process of its own, which ends with whoever asked for it. */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { parseJsonOrUndefined } from '../../base/text/lenient.ts';
import { ERROR_CODES, ProwessError } from '../../protocol/errors/errors.ts';
import * as z from '../../protocol/text/zod.ts';
import { serverMayInherit } from '../../host/server-inheritance.ts';

/** Time for the process to end by itself once it was asked to; then it is killed. */
const STOP_COMMAND_MS = 5_000;
/** A report that is longer ends the process. */
const MAX_OUTPUT_CHARS = 50_000_000;
/** End of what the process says about itself. */
const KEPT_ERROR_CHARS = 4_000;

interface OwnCommandPlace {
	/** Folder of the built files. */
	readonly dist: string;
	/** Home of Prowess that it works with. */
	readonly home: string;
}

/**
 * Runs `prowess` with these words and `--json`, and resolves with what it printed, whatever its exit code. Keys and tokens in
 * the environment of the editor stay out. Rejects with the error that it reports, with INTERNAL where it prints no JSON or too
 * much, and, once the process is gone, with the reason of `signal`.
 */
export async function runOwnCommand(
	words: readonly string[],
	{ dist, home }: OwnCommandPlace,
	signal: AbortSignal,
): Promise<unknown> {
	signal.throwIfAborted();
	const program = join(dist, 'cli.mjs');
	const inherited = Object.entries(process.env).filter(([name]) => serverMayInherit(name));
	const child = spawn(process.execPath, [program, ...words, '--json'], {
		// Not the workspace: whatever lies there decides nothing about our process.
		cwd: dirname(program),
		env: { ...Object.fromEntries(inherited), PROWESS_HOME: home, ELECTRON_RUN_AS_NODE: '1' },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const { promise: ended, resolve } = Promise.withResolvers<string>();
	let [printed, said] = ['', ''];
	let isTooLong = false;
	child.once('error', (error) => resolve(error.message));
	child.once('close', (code, by) => resolve(by === null ? `exit code ${code}` : `ended by ${by}`));
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		printed += text;
		if (printed.length <= MAX_OUTPUT_CHARS) return;
		isTooLong = true;
		child.kill('SIGKILL');
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		said = `${said}${text}`.slice(-KEPT_ERROR_CHARS);
	});
	let killing: NodeJS.Timeout | undefined;
	const stopChild = () => {
		child.kill('SIGTERM');
		killing = setTimeout(() => child.kill('SIGKILL'), STOP_COMMAND_MS);
	};
	signal.addEventListener('abort', stopChild, { once: true });
	const how = await ended;
	signal.removeEventListener('abort', stopChild);
	clearTimeout(killing);
	signal.throwIfAborted();
	const value = isTooLong ? undefined : parseJsonOrUndefined(printed);
	if (value === undefined) {
		const why = isTooLong ? `it printed more than ${MAX_OUTPUT_CHARS} characters` : said.trim() || how;
		throw new ProwessError('INTERNAL', `prowess ${words.slice(0, 2).join(' ')}: ${why}`);
	}
	const { data } = ReportedError.safeParse(value);
	if (data !== undefined) throw new ProwessError(data.error.code, data.error.message);
	return value;
}

/** Error of a command that prints JSON. */
const ReportedError = z.object({
	success: z.literal(false),
	error: z.object({ code: z.enum(ERROR_CODES).catch('INTERNAL'), message: z.string() }),
});
