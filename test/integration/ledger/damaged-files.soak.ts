import { openDamagedFiles } from './damaged-files.ts';
import { seedOfSoak } from '../../support/seeded.ts';

const files = 5_000;

describe('soak: damaged databases', () => {
	it(`are kept as they were found, and do not keep us from working: ${files} of them (R-45)`, () => {
		const seed = seedOfSoak();
		console.log(`      PROWESS_SEED=${seed}`);
		console.log('     ', openDamagedFiles(files, seed));
	});
});
