/** Which runner a project uses, and the script that calls it: what its files say, the most telling first. */

export async function detect(path, host) {
	const there = async (name) => (await textOf(`${path}/${name}`, host)) !== undefined;
	const packageText = await textOf(`${path}/package.json`, host);
	if (packageText !== undefined) {
		const found = ofPackage(packageText);
		if (found !== undefined) return found;
	}
	if (await there('Cargo.toml')) return { name: 'cargo' };
	if (await there('go.mod')) return { name: 'go' };
	for (const name of ['pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini', 'setup.py', 'requirements.txt']) {
		if (await there(name)) return { name: 'pytest' };
	}
	return undefined;
}

/** The script that `npm test` runs names its runner; one it does not know is run as it is. */
export function ofPackage(text) {
	let script = '';
	try {
		script = JSON.parse(text).scripts?.test ?? '';
	} catch {
		return undefined;
	}
	if (script === '' || /no test specified/.test(script)) return undefined;
	// More than one command: only npm knows what they do together.
	if (/&&|\|\||;|\|/.test(script)) return { name: 'npm', script };
	for (const name of ['vitest', 'jest', 'mocha']) {
		if (new RegExp(`(?:^|[\\s/])${name}(?:\\.m?js)?(?:\\s|$)`).test(script)) return { name, script };
	}
	return { name: /\bnode\b.*\s--test(?:\s|$)/.test(script) ? 'node' : 'npm', script };
}

async function textOf(path, host) {
	try {
		return (await host.fs.read({ path })).text;
	} catch (error) {
		if (error.code === 'NOT_FOUND') return undefined;
		throw error;
	}
}
