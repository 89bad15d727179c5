import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MissingDependency, PipelineBuilder } from './pipeline-builder.ts';

/** In the order in which they are named. */
const names = [
	'session_store',
	'security',
	'conversation_store',
	'provider_registry',
	'token_budgets',
	'settings',
	'workspace',
	'closing',
	'log',
] as const;

describe('PipelineBuilder', () => {
	/** Is asked for nothing: a pipeline without all of its parts is not built. */
	const part = {} as never;

	function built(given: readonly (typeof names)[number][]): unknown {
		const builder = new PipelineBuilder();
		for (const name of given) {
			builder.with(name, part);
		}
		return builder.build({ hasEditor: false }, () => {});
	}

	it('names the first part that is missing, in the order of its fields and not of the calls (S1-26)', () => {
		assert.throws(() => built([]), { name: 'MissingDependency', dependency: 'session_store' });
		assert.throws(() => built(['log', 'session_store']), { dependency: 'security' });
		assert.throws(() => built(['security', 'session_store']), { dependency: 'conversation_store' });
	});

	for (const missing of names) {
		it(`does without ${missing} in no way, and says so`, () => {
			assert.throws(
				() => built(names.filter((name) => name !== missing)),
				(error: unknown) =>
					error instanceof MissingDependency &&
					error.dependency === missing &&
					error.message === `the pipeline lacks ${missing}`,
			);
		});
	}
});
