/** The oldest VS Code that the package names is the one that it is compiled against, so that no newer API can be used. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
	readonly version: string;
	readonly engines: { readonly vscode: string };
	readonly devDependencies: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const readManifest = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
const minorOf = (version: string) => /^\^?(\d+\.\d+)\.\d+$/.exec(version)?.[1] ?? assert.fail(version);

describe('The oldest VS Code', () => {
	const own = readManifest('package.json');
	const oldest = minorOf(own.engines.vscode);

	it('is the one whose API the sources are compiled against', () => {
		assert.equal(minorOf(own.devDependencies['@types/vscode'] ?? ''), oldest);
		assert.equal(minorOf(readManifest('node_modules/@types/vscode/package.json').version), oldest);
	});

	for (const companion of [
		'scripts/start/show-chat',
		'test/vscode/fixtures/editor-model',
		'test/vscode/fixtures/tool-user',
	]) {
		it(`runs ${companion}, too`, () => {
			assert.equal(minorOf(readManifest(`${companion}/package.json`).engines.vscode), oldest);
		});
	}
});
