/** The first place in a stack trace that is code of the project. */

export function placeIn(stack) {
	for (const line of String(stack ?? '').split('\n')) {
		const found = /(?:file:\/\/)?((?:[A-Za-z]:)?[^\s()'"]+?\.[cm]?[jt]sx?):(\d+)(?::\d+)?/.exec(line);
		if (found !== null && !/node_modules|^node:|\bnode:internal/.test(found[1])) {
			return { file: found[1], line: Number(found[2]) };
		}
	}
	return { file: null, line: null };
}

/** The JSON object in an output that may have words around it. */
export function jsonIn(output) {
	for (let start = output.indexOf('{'); start !== -1; start = output.indexOf('\n{', start + 1)) {
		const from = output[start] === '\n' ? start + 1 : start;
		const end = output.lastIndexOf('}');
		try {
			return JSON.parse(output.slice(from, end + 1));
		} catch {
			// Words before it, then.
		}
	}
	return undefined;
}
