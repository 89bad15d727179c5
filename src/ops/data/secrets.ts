/**
 * secrets.list, secrets.read and secrets.write. The name is judged; the value is read only when the effect takes place, and
 * what a capability stores is kept under a name that is its alone.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import { ownSecretName } from '../../machine/secrets/secret-vault.ts';
import type { DataDeps } from './data-deps.ts';

type SecretOp = 'secrets.list' | 'secrets.read' | 'secrets.write';

export function secretsOps({ secrets }: Pick<DataDeps, 'secrets'>): Pick<OpImplementations, SecretOp> {
	return {
		'secrets.list': {
			prepare: () =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: 'List the names of secrets' },
					run: async () => ({ names: [...(await secrets.names())] }),
				}),
		},
		'secrets.read': {
			async prepare({ name: asked }, { caller }) {
				const name = await secrets.resolveName(callingCapability(caller), asked);
				return {
					targets: [{ kind: 'secret', name }],
					detail: { kind: 'text', text: `The capability gets the value of the secret "${name}" itself` },
					run: async () => ({ name, value: await secrets.read(name) }),
				};
			},
		},
		'secrets.write': {
			async prepare({ name: asked, value }, { caller }) {
				const capability = callingCapability(caller) ?? 'user';
				const name = ownSecretName(capability, asked);
				if (name === undefined) {
					const message = `the name "${asked}" is too long for a secret of ${capability}. Use a shorter one`;
					const said = text('The name "{name}" is too long for a secret of {capability}.', { name: asked, capability });
					throw new ProwessError('INVALID_PARAMS', message, { name: asked, said });
				}
				const isReplaced = await secrets.has(name);
				const before = isReplaced ? 'This replaces the value that it stored before.' : 'Nothing is stored there yet.';
				const what = `${capability} stores a value of ${value.length} characters as the secret "${name}". ${before}`;
				return {
					targets: [{ kind: 'secret', name }],
					detail: { kind: 'text', text: what },
					async run() {
						await secrets.write(name, value, isReplaced);
						return { name, isReplaced };
					},
				};
			},
		},
	};
}

/** Returns the caller as `type/name`; undefined when it is no capability. */
export function callingCapability(caller: Caller): string | undefined {
	return caller.kind === 'execution' ? caller.capability : undefined;
}
