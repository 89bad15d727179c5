import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PERMISSIONS, type Permission, RISK_LEVELS } from '../../../../protocol/ops/risk.ts';
import { executionDatabases, executionPermissions } from './execution-permissions.ts';
import { LEVEL_PERMISSIONS } from '../../../../protocol/ops/risk.ts';

const some = fc.uniqueArray(fc.constantFrom<Permission>(...PERMISSIONS));

describe('The permissions of an execution', () => {
	it('are those that its level, manifest, grant, parent and trust all give', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...RISK_LEVELS),
				some,
				some,
				fc.option(some, { nil: undefined }),
				fc.boolean(),
				(level, permissions, grant, parent, isTrusted) => {
					const own = executionPermissions({
						manifest: { type: 'skill', level, permissions },
						grant,
						parent: parent === undefined ? undefined : new Set(parent),
						isTrusted,
					});
					for (const each of PERMISSIONS) {
						const inAll =
							LEVEL_PERMISSIONS[level].includes(each) &&
							permissions.includes(each) &&
							grant.includes(each) &&
							(parent?.includes(each) ?? true) &&
							(isTrusted || ['user', 'thread', 'crypto'].includes(each));
						assert.equal(own.has(each), inAll, each);
					}
				},
			),
		);
	});

	it('of a talent let it change nothing, whatever it asks for and at whatever level', () => {
		const manifest = { type: 'talent', level: 'PRIVILEGED' as const, permissions: [...PERMISSIONS] };
		const own = executionPermissions({ manifest, grant: PERMISSIONS, parent: undefined, isTrusted: true });
		assert.deepEqual([...own].sort(), ['llm', 'thread', 'workspace.read']);
	});

	it('grow with the level', () => {
		for (const [index, level] of RISK_LEVELS.entries()) {
			const below = RISK_LEVELS[index - 1];
			assert.ok(
				below === undefined || LEVEL_PERMISSIONS[below].every((each) => LEVEL_PERMISSIONS[level].includes(each)),
			);
		}
	});
});

describe('the databases of an execution', () => {
	for (const [what, manifest, parent, expected] of [
		['are any when nobody names some', undefined, undefined, undefined],
		['are those of its manifest', { a: 'x.db' }, undefined, { a: 'x.db' }],
		['are those of its parent when it names none', undefined, { a: 'x.db' }, { a: 'x.db' }],
		['are none that its parent may not use', { a: 'x.db', b: 'y.db' }, { c: 'y.db' }, { b: 'y.db' }],
		['are none at all when its parent may use other ones', { a: 'x.db' }, { a: 'y.db' }, {}],
	] as const) {
		it(what, () => assert.deepEqual(executionDatabases(manifest, parent), expected));
	}
});
