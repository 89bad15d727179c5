import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtInExecutors, workerExecutor } from './executors.ts';

const folder = join(import.meta.dirname, '../executors');

describe('The table of our executors', () => {
	it('has every folder of src/executors with a program, and no other', () => {
		const programs = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'main.ts')));
		assert.deepEqual(
			[
				...builtInExecutors('dist').map(({ name }) => name),
				String(workerExecutor('node-worker', 'dist').worker),
			].toSorted(),
			programs.toSorted(),
		);
	});

	it('names each type once', () => {
		const types = builtInExecutors('dist').flatMap((executor) => executor.types);
		assert.equal(new Set(types).size, types.length);
	});
});
