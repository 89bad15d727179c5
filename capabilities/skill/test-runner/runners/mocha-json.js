/** What `mocha --reporter json` prints. */
import { jsonIn, placeIn } from './stack.js';

export function readMochaJson(output) {
	const report = jsonIn(output);
	const failures = (report?.failures ?? []).map(({ fullTitle, file, err }) => {
		const place = placeIn(err?.stack);
		return { name: fullTitle, file: place.file ?? file ?? null, line: place.line, message: err?.message ?? '' };
	});
	return { passed: report?.stats?.passes ?? 0, failures };
}
