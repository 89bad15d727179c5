/** `prowess secrets …`: what capabilities can ask for by name. A value is read from standard input or typed unseen, and never shown. */
import { isCommonValue, MIN_SECRET_LENGTH } from '../../trust/record/redaction/limits.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { SecretName } from '../../protocol/ops/definitions/network/http.ts';
import type { CommandAction, CommandContext } from '../invocation/command.ts';
import { capturedSecretNames } from '../server/credentials.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { hiddenLine } from '../terminal/hidden-line.ts';
import { openHome } from '../home/home-folder.ts';
import { SecretsFile } from '../home/secrets-file.ts';
import { cliLimits } from '../terminal/limits.ts';
import { standardInput } from '../terminal/standard-input.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { printRows } from '../invocation/print-result.ts';

export const setSecret: CommandAction = async ({ operands }, context) => {
	const { terminal, environment, signal } = context;
	const name = requireSecretName(operands, 'set');
	const file = new SecretsFile(openHome(environment));
	// Before anybody is asked for a value that could not be kept.
	file.read();
	const value = await valueFrom(context, name);
	const isReplaced = await file.set(name, value, signal);
	terminal.err(
		`${isReplaced ? 'Replaced' : 'Stored'} the secret ${name} in ${visibleLine(file.path)}. Only you can read the file.\n`,
	);
	if (value.length < MIN_SECRET_LENGTH) {
		terminal.err(`A value shorter than ${MIN_SECRET_LENGTH} characters is not redacted from output and records.\n`);
	}
	if (isCommonValue(value)) {
		terminal.err(
			'This value may also occur in other texts. Wherever it does, it is redacted from output and records.\n',
		);
	}
	if (capturedSecretNames().includes(name.toUpperCase())) {
		terminal.err(`PROWESS_SECRET_${name.toUpperCase()} in the environment overrides it.\n`);
	}
	return exitCodes.done;
};

export const removeSecret: CommandAction = async ({ operands }, { terminal, environment, signal }) => {
	const name = requireSecretName(operands, 'remove');
	const file = new SecretsFile(openHome(environment));
	if (!(await file.set(name, undefined, signal))) {
		throw new ProwessError('SECRET_NOT_FOUND', `there is no secret "${name}" in ${file.path}`, { name });
	}
	terminal.err(`Removed the secret ${name} from ${visibleLine(file.path)}.\n`);
	return exitCodes.done;
};

export const listSecrets: CommandAction = ({ switches }, { terminal, environment }) => {
	const file = new SecretsFile(openHome(environment));
	const captured = capturedSecretNames();
	const stored = [...file.read().keys()].filter((name) => !captured.includes(name.toUpperCase()));
	const all = [
		...captured.map((name) => ({ name, from: 'environment' })),
		...stored.map((name) => ({ name, from: file.path })),
	].sort((a, b) => a.name.localeCompare(b.name, 'en'));
	const shown = printRows({ switches }, { terminal }, all, {
		format: ({ name, from }) => `${name.padEnd(24)} ${visibleLine(from)}\n`,
		none: 'No secrets. Store one with "prowess secrets set github", or set PROWESS_SECRET_GITHUB in the environment.\n',
	});
	return Promise.resolve(shown);
};

function requireSecretName([name = '']: readonly string[], command: string): string {
	if (!SecretName.safeParse(name).success) {
		throw new UsageError(
			`secrets ${command}: a name takes letters, digits, "_", "." and "-", begins with a letter or digit, and has at most 100`,
		);
	}
	return name;
}

/**
 * Reads the value from the terminal or standard input, without the line break at its end, which programs and people
 * add.
 */
async function valueFrom({ terminal, signal }: CommandContext, name: string): Promise<string> {
	const what = `secrets set: the value of ${name}`;
	const given = terminal.isInteractive
		? await hiddenLine(terminal, `Value of ${name} (not shown): `, signal)
		: await standardInput(terminal.stdin, what, cliLimits.secretBytes, signal);
	const value = given.replace(/\r?\n$/, '');
	if (value.trim() === '') {
		throw new UsageError(`${what} is empty; it is read from standard input: prowess secrets set ${name} < file`);
	}
	if (/[\0\uFFFD]/.test(value)) {
		throw new UsageError(`${what} is no text; encode it, e.g. with base64`);
	}
	return value;
}
