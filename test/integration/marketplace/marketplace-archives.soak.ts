import assert from 'node:assert/strict';
import { contentHash, type PackageFile } from '../../../src/catalog/package-file.ts';
import { readZip } from '../../../src/catalog/marketplace/package/read-zip.ts';
import { never } from '../../support/marketplace-scene.ts';
import { zipBytes } from '../../support/zip-bytes.ts';

const mutants = 100_000;

describe('soak: archives with a few bytes another', () => {
	it(`are refused or have the same files, ${mutants} of them`, async () => {
		let seed = Number(process.env['PROWESS_SEED'] ?? Date.now() % 2 ** 32);
		console.log(`      PROWESS_SEED=${seed}`);
		const random = (below: number) => {
			seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
			return Math.floor((seed / 2 ** 32) * below);
		};
		const bytes = zipBytes([
			{ name: 'capability.yaml', content: 'name: x\n' },
			{ name: 'a/', mode: 0o040755, content: '' },
			{ name: 'a/b.txt', method: 8, content: 'x'.repeat(5_000) },
			{ name: 'README.md', method: 8, content: 'hello '.repeat(100) },
		]);
		const before = contentHash(await readZip(bytes, never));
		for (let count = 0; count < mutants; count += 1) {
			const mutant = Buffer.from(bytes);
			// In one place: what is said twice, of a name or a size, must not change in both.
			const at = random(mutant.length);
			for (let end = Math.min(mutant.length, at + 1 + random(8)); end > at; end -= 1) {
				mutant.writeUInt8(random(256), end - 1);
			}
			let files: PackageFile[];
			try {
				files = await readZip(mutant, never);
			} catch (error) {
				assert.equal((error as { code?: string }).code, 'EXTRACTION_FAILED', String(error));
				continue;
			}
			assert.equal(contentHash(files), before);
		}
	});
});
