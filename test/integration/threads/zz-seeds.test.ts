import { mixWriters } from './mixed-writers.ts';
describe('seeds', () => {
	it('hold', async function () {
		this.timeout(1_500_000);
		const bad: string[] = [];
		for (const seed of [500123, ...Array.from({ length: 900 }, (_, i) => 600100 + i)]) {
			try {
				await mixWriters(seed);
			} catch (e) {
				bad.push(String(e).slice(0, 900));
			}
		}
		if (bad.length) throw new Error(bad.join('\n---\n'));
	});
});
