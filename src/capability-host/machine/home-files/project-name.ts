/** Name of a project, made of its folders in their order, for a file of the home that is about it: 32 hexadecimal digits. */
import { createHash } from 'node:crypto';

export function projectName(folders: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(folders)).digest('hex').slice(0, 32);
}
