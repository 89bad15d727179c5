import { closeAtAnyMoment, stopAtAnyMoment } from './executions-at-any-moment.ts';

/** Samples; `npm run soak` has the long runs. */
const stops = 16;
const closes = 4;

describe('An execution, at any moment', function () {
	this.timeout(180_000);

	it(`is stopped to one end that stays, at ${stops} moments (R-15)`, async () => {
		await stopAtAnyMoment(stops, 20_261_121);
	});

	it(`leaves nothing of itself when its host closes, at ${closes} moments (R-59)`, async () => {
		await closeAtAnyMoment(closes, 20_261_121);
	});
});
