/** TAP, as `node --test` prints it: nested, with what went wrong in a block of YAML. */
import { placeIn } from './stack.js';

export function readTap(output) {
	const lines = output.split('\n');
	const failures = [];
	let passed = 0;
	for (const [at, line] of lines.entries()) {
		const [, indent, not, name = ''] = /^( *)(not )?ok \d+(?: - (.*))?$/.exec(line) ?? [];
		if (indent === undefined) continue;
		const block = blockAfter(lines, at + 1, indent.length);
		// A suite or a file fails with the tests in it: those are named.
		const isGroup = /^\s*type: '?suite'?$/m.test(block) || /failureType: '?subtestsFailed'?/.test(block);
		if (isGroup || /#\s*(?:skip|todo)/i.test(name)) continue;
		if (not === undefined) {
			passed += 1;
		} else {
			const location = /^\s*location: '(.*):(\d+):\d+'$/m.exec(block);
			const place = placeIn(/^\s*stack: \|-\n([\s\S]*)/m.exec(block)?.[1] ?? '');
			failures.push({
				name: name.trim(),
				file: place.file ?? location?.[1] ?? null,
				line: place.line ?? (location === null ? null : Number(location[2])),
				message: loadFailure(lines, at, block) ?? messageIn(block),
			});
		}
	}
	return { passed, failures };
}

/** A file that could not be loaded says why in the comments before it. */
function loadFailure(lines, at, block) {
	if (!/^\s*exitCode: /m.test(block)) return undefined;
	let first = at;
	while (lines[first - 1]?.startsWith('# ')) first -= 1;
	return lines
		.slice(first, at)
		.find((line) => /^# \w*Error\b.*: /.test(line))
		?.slice(2);
}

function blockAfter(lines, start, indent) {
	if (lines[start]?.trim() !== '---') return '';
	const end = lines.findIndex((line, at) => at > start && line.trim() === '...' && line.search(/\S/) <= indent + 2);
	return lines.slice(start + 1, end === -1 ? start + 1 : end).join('\n');
}

/** In quotes on its line, or in the lines below it. */
function messageIn(block) {
	const [, quote, inline] = /^\s*error: (['"])(.*)\1$/m.exec(block) ?? [];
	if (inline !== undefined) return quote === "'" ? inline.replaceAll("''", "'") : inline;
	const [, indent = '', text = ''] = /^(\s*)error: \|-\n([\s\S]*)/m.exec(block) ?? [];
	const own = [];
	for (const line of text.split('\n')) {
		if (line.trim() !== '' && line.search(/\S/) <= indent.length) break;
		own.push(line.trim());
	}
	return own.join('\n').trim();
}
