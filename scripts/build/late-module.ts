/** Source of a CommonJS module with the exports of `module`, which `load` gives where one of them is first used. */
export function lateModule(module: object, load: string): string {
	const names = Object.keys(module).filter((name) => name !== 'default');
	return [
		'let loaded;',
		`const load = () => (loaded ??= ${load});`,
		`for (const name of ${JSON.stringify(names)})`,
		'  Object.defineProperty(module.exports, name, { enumerable: true, get: () => load()[name] });',
	].join('\n');
}
