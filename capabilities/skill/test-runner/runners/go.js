/** What `go test -json` prints: one event on each line. */

export function readGo(output) {
	const said = new Map();
	const failed = [];
	let passed = 0;
	for (const line of output.split('\n')) {
		const event = eventIn(line);
		if (event === undefined) continue;
		const { Action: action, Package: unit, Test: test, Output: text } = event;
		const key = `${unit} ${test ?? ''}`;
		if (action === 'output') said.set(key, (said.get(key) ?? '') + text);
		if (test !== undefined && action === 'pass') passed += 1;
		if (test !== undefined && action === 'fail') failed.push({ key, unit, test });
	}
	// A test fails with those below it: only they are named.
	const own = failed.filter(({ key }) => !failed.some((other) => other.key.startsWith(`${key}/`)));
	const failures = own.map(({ key, unit, test }) => {
		const text = said.get(key) ?? '';
		const place = /^\s*([\w./-]+\.go):(\d+): ?([\s\S]*?)(?=^\s*---|^\s*[\w./-]+\.go:\d+:|$(?![\s\S]))/m.exec(text);
		return {
			name: `${unit}.${test}`,
			file: place?.[1] ?? null,
			line: place === null ? null : Number(place[2]),
			message: (place?.[3] ?? text).trim(),
		};
	});
	return { passed, failures };
}

function eventIn(line) {
	try {
		return line.startsWith('{') ? JSON.parse(line) : undefined;
	} catch {
		return undefined;
	}
}
