import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, it } from 'mocha';
import { createAcpCard, readOwnCard } from './acp-card.ts';
import { root } from './setup/paths.mjs';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('The card for the registry of ACP agents', () => {
	it('names no package that is none, and none of whatever version', () => {
		for (const name of [
			'',
			'prowess@latest',
			'Prowess',
			'../prowess',
			'prowess --yes',
			'@acme/',
			'https://example.org/x.tgz',
		]) {
			assert.throws(() => readOwnCard(name), /expected the name of an npm package/);
		}
	});

	it('is one by the schema of the registry, for the version that is here', () => {
		const card = readOwnCard('@acme/prowess');
		const ajv = new Ajv({ strict: false, validateFormats: false });
		const isCard = ajv.compile(JSON.parse(read('test/fixtures/acp-registry/agent.schema.json')) as object);
		assert.equal(isCard(card), true, JSON.stringify(isCard.errors));
		const { version } = JSON.parse(read('package.json')) as { readonly version: string };
		assert.deepEqual(card.distribution.npx, { package: `@acme/prowess@${version}`, args: ['acp'] });
		assert.equal(isCard(createAcpCard({ version: 'one', license: '' }, '', 'x')), false);
	});

	it('has an icon of 16 by 16 in the colour of its surroundings', () => {
		const icon = read('media/acp-icon.svg');
		assert.match(icon, /^<svg [^>]*width="16" height="16"/);
		const colours = [...icon.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour);
		assert.deepEqual(new Set(colours), new Set(['none', 'currentColor']));
	});
});
