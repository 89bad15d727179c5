/** `allowed-tools` for whoever is to agree to it: one line for each thing that would not be asked. */
import { type AllowedTool, readAllowedTool, readCommandRule } from './allowed-tools.ts';

export function allowedToolsInWords(tools: readonly string[]): readonly string[] {
	const read = tools.map((text) => ({ text, tool: readAllowedTool(text) }));
	const allowed = [...new Set(read.flatMap(({ tool }) => (tool === undefined ? [] : [describeAllowedTool(tool)])))];
	const others = read.filter(({ tool }) => tool === undefined).map(({ text }) => text);
	return [
		...allowed.map((words) => `Without asking: ${words}`),
		...(allowed.length === 0 ? [] : [STILL_ASKED]),
		...(others.length === 0 ? [] : [`Names tools without effect here: ${others.join(', ')}`]),
	];
}

const STILL_ASKED =
	'Still asks: protected files, secrets, paths outside the workspace, commands that look dangerous or are given code to run, and what your ask rules cover';

function describeAllowedTool({ op, rule }: AllowedTool): string {
	switch (op) {
		case 'fs.write':
			return `writes ${rule === undefined ? 'files' : `the files ${rule}`}`;
		case 'fs.edit':
			return `changes ${rule === undefined ? 'files' : `the files ${rule}`}`;
		case 'shell.run':
			return commandsInWords(rule);
		case 'http.get':
			return `fetches pages of ${rule === undefined ? 'any host' : rule.replace(/^domain:/, '')}`;
	}
}

function commandsInWords(rule: string | undefined): string {
	if (rule === undefined) {
		return 'runs commands, except programs that run other programs';
	}
	const { words, isOpen } = readCommandRule(rule) ?? { words: [], isOpen: false };
	return `runs ${isOpen ? 'commands that begin with' : 'the command'} "${words.join(' ')}"`;
}
