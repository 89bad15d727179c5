/**
 * Judgements that the user has overruled, project by project, for all windows and command lines of the home. A fast path or a strategy
 * that was overruled often is off in that project. A file that cannot be read stops no turn: everything is on then.
 */
import {
	OVERRULES_UNTIL_OFF,
	type Judgement,
	type JudgementStanding,
	type OverruledJudgement,
} from '../../protocol/turn/judgement.ts';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import { resolveProjectKey } from '../../machine/home-files/project-name.ts';
import type { Database } from '../../store/database.ts';

/** Rows that are kept of one judgement in one project: more say nothing new. */
const MOST_KEPT = 1_000;

const ON: JudgementStanding = { isOff: false, isNews: false };

interface OverrulesDeps {
	/** Throws where the file cannot be opened. */
	readonly open: () => Database;
	readonly workspace: Pick<WorkspacePort, 'folders'>;
	readonly log: Pick<LogPort, 'error'>;
	/** Tests have their own. */
	readonly now?: () => number;
}

interface OverruleRow {
	readonly project: string;
	readonly kind: Judgement['kind'];
	readonly name: string;
	readonly times: number;
}

export class Overrules {
	readonly #deps: OverrulesDeps;

	constructor(deps: OverrulesDeps) {
		this.#deps = deps;
	}

	standing(judgement: Judgement): JudgementStanding {
		return this.#orOn('what the user has overruled could not be read', () => this.#standing(judgement));
	}

	/** Once for each `occasion`, whoever tells of it and how often. */
	count(judgement: Judgement, occasion: string): JudgementStanding {
		return this.#orOn('what the user has overruled could not be counted', () => {
			const { kind, name } = judgement;
			if (this.#times(judgement) < MOST_KEPT) {
				this.#deps
					.open()
					.run(
						'INSERT OR IGNORE INTO overrules (project, kind, name, occasion, at) VALUES (?, ?, ?, ?, ?)',
						...[this.#project(), kind, name, occasion, (this.#deps.now ?? Date.now)()],
					);
			}
			return this.#standing(judgement);
		});
	}

	told({ kind, name }: Judgement): void {
		this.#orOn('that something is off could not be noted as told', () => {
			const sql = 'UPDATE overrules SET is_told = 1 WHERE project = ? AND kind = ? AND name = ?';
			this.#deps.open().run(sql, this.#project(), kind, name);
			return ON;
		});
	}

	/** On again, and counted from nothing. `folder`: of a project that is not open. Returns whether there was anything to forget. Throws where it cannot be written. */
	restore({ kind, name }: Judgement, folder?: string): boolean {
		const sql = 'DELETE FROM overrules WHERE project = ? AND kind = ? AND name = ?';
		return this.#deps.open().run(sql, this.#project(folder), kind, name) > 0;
	}

	/** Lists those of all projects, the most overruled first. Throws where it cannot be read. */
	list(): readonly OverruledJudgement[] {
		const rows = this.#deps
			.open()
			.all<OverruleRow>(
				'SELECT project, kind, name, count(*) AS times FROM overrules GROUP BY project, kind, name ORDER BY times DESC, project, kind, name',
			);
		return rows.map(({ project, kind, name, times }) => ({ project, kind, name, times, isOff: isOffAt(kind, times) }));
	}

	#standing(judgement: Judgement): JudgementStanding {
		const isOff = isOffAt(judgement.kind, this.#times(judgement));
		return { isOff, isNews: isOff && !this.#isTold(judgement) };
	}

	#times({ kind, name }: Judgement): number {
		const sql = 'SELECT count(*) AS times FROM overrules WHERE project = ? AND kind = ? AND name = ?';
		return this.#deps.open().get<{ times: number }>(sql, this.#project(), kind, name)?.times ?? 0;
	}

	#isTold({ kind, name }: Judgement): boolean {
		const sql = 'SELECT 1 AS told FROM overrules WHERE project = ? AND kind = ? AND name = ? AND is_told = 1 LIMIT 1';
		return this.#deps.open().get<{ told: number }>(sql, this.#project(), kind, name) !== undefined;
	}

	#orOn(what: string, work: () => JudgementStanding): JudgementStanding {
		try {
			return work();
		} catch (error) {
			this.#deps.log.error(what, { error: String(error) });
			return ON;
		}
	}

	#project(folder = this.#deps.workspace.folders[0]?.path): string {
		return resolveProjectKey(folder ?? '');
	}
}

/** Guards and memories stay: the user overrules the one case. */
function isOffAt(kind: Judgement['kind'], times: number): boolean {
	return (kind === 'fastPath' || kind === 'strategy') && times >= OVERRULES_UNTIL_OFF;
}
