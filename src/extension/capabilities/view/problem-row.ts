/** Row for something that could not be read; it offers no actions. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import { type BuiltRow } from './built-tab.ts';

export function problemRow(problem: string, icon: 'error' | 'warning'): BuiltRow {
	return {
		id: `problem.${problem}`,
		name: escapeToLine(problem),
		icon,
		isBusy: false,
		isQuiet: false,
		description: '',
		facts: [],
		marks: [],
		parts: [],
		opens: undefined,
		buttons: [],
		menu: [],
	};
}
