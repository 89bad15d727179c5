import { endAtAnyMoment } from './any-moment.ts';

/** A sample; `npm run soak` has the long run. */
const moments = 4;
const limitMs = 180_000;

describe('prowess: being ended at any moment', function () {
	this.timeout(limitMs);

	it(`leaves no process, nothing done twice, and a thread that goes on, at ${moments} moments (R-32, R-33, R-59)`, async () => {
		await endAtAnyMoment(moments, 20_261_120);
	});
});
