import { commandLimitMs } from './cli-process.ts';
import { changeAtRandom } from './random-changes.ts';

describe('Random edits and commands in real processes', function () {
	this.timeout(commandLimitMs * 3);

	it('go back to any message byte for byte, and come again', async () => {
		await changeAtRandom(20_261_126, 4, 25);
	});
});
