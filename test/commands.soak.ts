import { commandTable, kindsText, tableText } from './support/command-table.ts';

describe('soak: commands at each level', () => {
	it('are asked for or pass as this table says', () => {
		console.log(`${tableText(commandTable())}\n\n${kindsText()}`.replaceAll(/^/gm, '      '));
	});
});
