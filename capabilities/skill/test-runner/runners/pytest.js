/** What `pytest -q --tb=short` prints: a section for each failure, then a line for each. */

export function readPytest(output) {
	const failures = [];
	for (const [, file, name, said = ''] of output.matchAll(/^(?:FAILED|ERROR) ([^:\n]+?)(?:::(.+?))?(?: - (.*))?$/gm)) {
		const own = section(output, name === undefined ? `ERROR collecting ${file}` : name.replaceAll('::', '.'));
		const places = [...own.matchAll(/^([^\s:]+\.py):(\d+):/gm)].filter(([, path]) => !path.startsWith('/'));
		const place = places.findLast(([, path]) => path === file) ?? places.at(-1);
		const message = [...own.matchAll(/^E\s+(.*)$/gm)].map(([, line]) => line).join('\n');
		failures.push({
			name: name ?? file,
			file: place?.[1] ?? file,
			line: place === undefined ? null : Number(place[2]),
			message: message === '' ? said : message,
		});
	}
	return { passed: Number(/(\d+) passed/.exec(output)?.[1] ?? 0), failures };
}

/** Headed by the test's name, classes with a dot, or by what could not be collected. */
function section(output, head) {
	const lines = output.split('\n');
	const start = lines.findIndex((line) => /^_{3,} .* _{3,}$/.test(line) && line.replace(/^_+ | _+$/g, '') === head);
	if (start === -1) return '';
	const end = lines.findIndex((line, at) => at > start && /^(?:_{3,} .* _{3,}|={3,}.*={3,})$/.test(line));
	return lines.slice(start, end === -1 ? lines.length : end).join('\n');
}
