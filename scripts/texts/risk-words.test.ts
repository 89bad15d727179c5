import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RiskLevel } from '../../src/protocol/ops/risk.ts';
import { root } from '../setup/paths.mjs';

/** Problems of manifests, for authors, who write the word themselves. */
const FOR_AUTHORS = /^secrets are read at level PRIVILEGED only/;

describe('The texts for people', () => {
	it('say what a risk level means, and leave its name to records and manifests', () => {
		const files = ['l10n/bundle.l10n.json', 'l10n/bundle.l10n.de.json', 'package.nls.json', 'package.nls.de.json'];
		const names = new RegExp(`\\b(?:${RiskLevel.options.join('|')})\\b`);
		const named = files.flatMap((file) => {
			const texts = JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, string>;
			return Object.entries(texts).filter(([key, text]) => names.test(text) && !FOR_AUTHORS.test(key));
		});
		assert.deepEqual(named, []);
	});
});
