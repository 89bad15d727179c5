/** The params of a capability against the inputs that its manifest declares. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { type CapabilityManifest, mistypedIn } from '../../protocol/capability/manifest.ts';
import { SecretName } from '../../protocol/ops/definitions/network/http.ts';
import { text } from '../../protocol/text/text.ts';

/**
 * With defaults filled in. Rejects with INVALID_REQUEST; a capability that declares nothing gets whatever is given. The value
 * of a secret is refused in the place of its name, before anything of it is recorded; `isSecret` knows it.
 */
export function checkedInputs(
	{ name, inputs }: Pick<CapabilityManifest, 'name' | 'inputs'>,
	params: unknown,
	isSecret: (text: string) => boolean,
): unknown {
	if (inputs.length === 0) {
		return params ?? {};
	}
	const given = params ?? {};
	if (typeof given !== 'object' || Array.isArray(given)) {
		throw new ProwessError('INVALID_REQUEST', `${name}: expected its params as an object`, {
			said: text('The inputs of {name} do not fit: {problems}', { name, problems: 'expected an object' }),
		});
	}
	const entries = new Map(Object.entries(given));
	const problems: string[] = [];
	for (const input of inputs) {
		const value = entries.get(input.name) ?? input.default;
		if (value === undefined) {
			if (input.required) problems.push(`${input.name}: it is required`);
			continue;
		}
		const wrong = mistypedIn(input, value);
		const isName = SecretName.safeParse(value).success && !isSecret(String(value));
		if (wrong === undefined && input.format === 'secret' && !isName) {
			problems.push(`${input.name}: expected the name of a stored secret, not its value`);
		} else if (wrong === undefined) {
			entries.set(input.name, value);
		} else {
			const at = wrong.at === undefined ? '' : `.${wrong.at}`;
			problems.push(`${input.name}${at}: expected ${wrong.expected}, got ${wrong.got}`);
		}
	}
	for (const each of entries.keys()) {
		if (!inputs.some((input) => input.name === each)) problems.push(`${each}: there is no such input`);
	}
	if (problems.length > 0) {
		throw new ProwessError('INVALID_REQUEST', `${name}: ${problems.join('; ')}`, {
			problems,
			said: text('The inputs of {name} do not fit: {problems}', { name, problems: problems.join('; ') }),
		});
	}
	return Object.fromEntries(entries);
}
