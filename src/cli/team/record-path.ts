import { join } from 'node:path';

/** Where a home keeps which team it has joined; nothing is there while it has joined none. */
export function teamRecordPath(home: string): string {
	return join(home, 'team', 'team.json');
}
