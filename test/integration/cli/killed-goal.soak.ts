import { killAtEachVerdict } from './killed-goal.ts';

describe('Goals whose process is killed in each of 8 steps', function () {
	this.timeout(1_800_000);

	it('go on, and repeat no effect', async () => {
		await killAtEachVerdict(8);
	});
});
