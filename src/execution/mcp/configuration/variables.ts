/**
 * Resolves references in the variables and headers of a server. A secret is read from the user's vault when the server
 * starts. The server gets it because the user agreed to an entry that names it; no other secret of ours reaches the
 * server.
 */
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import type { SecretVault } from '../../../machine/secrets/secret-vault.ts';

interface VariableDeps {
	readonly secrets: Pick<SecretVault, 'read'>;
	/** Environment that commands get: without any key or token of the host. */
	readonly environment: Readonly<Record<string, string>>;
}

const VARIABLE_REFERENCE =
	/\$\{(?:(?<kind>secret|input|env):)?(?<name>[A-Za-z_][\w.-]{0,99})(?::-(?<otherwise>[^}]*))?\}/g;

/** Names of the secrets that the values ask for, an input of VS Code by its name for the server. */
export function listSecretNames(server: string, values: Iterable<string>): readonly string[] {
	const found = [...values].flatMap((value) =>
		[...value.matchAll(VARIABLE_REFERENCE)].flatMap(({ groups = {} }) => findSecretName(server, groups) ?? []),
	);
	return [...new Set(found)];
}

/** Rejects with SECRET_NOT_FOUND, or with INVALID_PARAMS for a variable that commands do not get either. */
export async function resolveValues(
	server: string,
	values: Readonly<Record<string, string>>,
	deps: VariableDeps,
): Promise<Record<string, string>> {
	const resolved: Record<string, string> = {};
	for (const [key, value] of Object.entries(values)) {
		resolved[key] = await resolveValue({ server, field: key }, value, deps);
	}
	return resolved;
}

interface AskedBy {
	readonly server: string;
	/** Variable, header or field of its entry. */
	readonly field: string;
}

async function resolveValue(
	{ server, field }: AskedBy,
	value: string,
	{ secrets, environment }: VariableDeps,
): Promise<string> {
	let done = '';
	let from = 0;
	for (const match of value.matchAll(VARIABLE_REFERENCE)) {
		const { groups = {}, index } = match;
		const { name = '', otherwise } = groups;
		const secret = findSecretName(server, groups);
		done += value.slice(from, index);
		from = index + match[0].length;
		const found =
			secret === undefined ? (environment[name] ?? otherwise) : await readSecretFor({ server, field }, secret, secrets);
		if (found === undefined) {
			const message = `the MCP server ${server} wants the variable ${name}, which programs do not get here. Store its value as a secret and write \${secret:${name}} instead`;
			throw new ProwessError('INVALID_PARAMS', message, {
				server,
				variable: name,
				said: text(
					'The MCP server "{server}" wants the variable {name}, which programs do not get here. Store its value as a secret and write ${secret:{name}} instead.',
					{ server, name },
				),
			});
		}
		done += found;
	}
	return done + value.slice(from);
}

/** Rejects as the vault does, with who wants the secret and for what. */
async function readSecretFor(
	{ server, field }: AskedBy,
	name: string,
	secrets: VariableDeps['secrets'],
): Promise<string> {
	try {
		return await secrets.read(name);
	} catch (error) {
		if (!isProwessError(error) || error.code !== 'SECRET_NOT_FOUND') throw error;
		const message = `the MCP server ${server} wants the secret "${name}" for ${field}, and none is stored under that name. Ask the user to store it`;
		const said = text(
			'The MCP server "{server}" wants the secret "{name}" for {field}, and none is stored under that name. Store it, and start the server again.',
			{ server, name, field },
		);
		throw new ProwessError(error.code, message, { name, server, said }, error);
	}
}

/** `${input:token}` of the server `github` is the secret `mcp.github.token`. */
function findSecretName(
	server: string,
	{ kind, name = '' }: Readonly<Record<string, string | undefined>>,
): string | undefined {
	return kind === 'secret' ? name : kind === 'input' ? `mcp.${server}.${name}` : undefined;
}
