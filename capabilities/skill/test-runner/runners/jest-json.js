/** What `jest --json` and `vitest --reporter=json` print. */
import { jsonIn, placeIn } from './stack.js';

export function readJestJson(output) {
	const report = jsonIn(output);
	const failures = (report?.testResults ?? []).flatMap(({ name: file, message, assertionResults = [] }) => {
		const failed = assertionResults.filter(({ status }) => status === 'failed');
		if (failed.length === 0 && message && assertionResults.length === 0) {
			// The file itself could not be run.
			return [{ name: file, file, line: placeIn(message).line, message: firstLines(message) }];
		}
		return failed.map(({ fullName, failureMessages = [], location }) => {
			const said = failureMessages.join('\n');
			return { name: fullName, file, line: location?.line ?? placeIn(said).line, message: firstLines(said) };
		});
	});
	return { passed: report?.numPassedTests ?? 0, failures };
}

function firstLines(text) {
	const plain = text.replace(/\u001b\[[0-9;]*m/g, '');
	return plain
		.split(/\n\s+at /)[0]
		.trim()
		.slice(0, 1_000);
}
