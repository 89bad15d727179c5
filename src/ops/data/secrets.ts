/** secrets.list and secrets.read. The name is judged; the value is read only when the effect takes place. */
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { DataDeps } from './data-deps.ts';

export function secretsOps({
	secrets,
}: Pick<DataDeps, 'secrets'>): Pick<OpImplementations, 'secrets.list' | 'secrets.read'> {
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
			prepare: ({ name }) =>
				Promise.resolve({
					targets: [{ kind: 'secret', name }],
					detail: { kind: 'text', text: `The capability gets the value of the secret "${name}" itself` },
					run: async () => ({ name, value: await secrets.read(name) }),
				}),
		},
	};
}
