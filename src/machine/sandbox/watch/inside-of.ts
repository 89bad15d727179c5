/**
 * Processes that a bubblewrap has started, as this machine numbers them: the first process of its sandbox, which leads
 * a group of its own.
 */
import { readFileSync } from 'node:fs';

export function listChildProcesses(bubblewrap: number): number[] {
	try {
		const text = readFileSync(`/proc/${bubblewrap}/task/${bubblewrap}/children`, 'utf8');
		return text.split(' ').flatMap((each) => (each === '' ? [] : [Number(each)]));
	} catch {
		// Gone, or a system that does not tell.
		return [];
	}
}
