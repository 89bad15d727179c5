/**
 * Programs of the system alone on the PATH, for all specs of a suite. The runner's own Node lies in a temporary folder when
 * this project does, and what lies there is shown to each sandboxed command.
 */
import { tmpdir } from 'node:os';
import { delimiter } from 'node:path';

export function useProgramsElsewhere(): void {
	const path = process.env['PATH'] ?? '';
	const isElsewhere = (folder: string) => !`${folder}/`.startsWith(`${tmpdir()}/`) && !folder.startsWith('/tmp/');
	before(() => {
		process.env['PATH'] = path.split(delimiter).filter(isElsewhere).join(delimiter);
	});
	after(() => {
		process.env['PATH'] = path;
	});
}
