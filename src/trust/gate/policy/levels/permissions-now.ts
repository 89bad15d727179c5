/** Tells what an agent may do in a thread without an answer of a person, as this host gives it now: for its model. */
import type { PermissionsNow } from '../../../../contract/lineage.ts';
import type { ThreadId } from '../../../../protocol/rpc/ids.ts';
import type { SettingsPort } from '../../../../contract/ports/ports.ts';
import type { ProjectRules } from '../rules/project-rules.ts';
import type { Levels } from './level-register.ts';
import type { Modes } from './mode-register.ts';

interface PermissionsDeps {
	readonly levels: Pick<Levels, 'here'>;
	readonly modes: Pick<Modes, 'of'>;
	readonly settings: Pick<SettingsPort, 'current'>;
	readonly projectRules: Pick<ProjectRules, 'current' | 'refresh'>;
}

export function permissionsNow({ levels, modes, settings, projectRules }: PermissionsDeps) {
	return async (threadId: ThreadId, signal: AbortSignal): Promise<PermissionsNow> => {
		const [here, mode] = await Promise.all([
			levels.here(threadId, signal),
			modes.of(threadId, signal),
			projectRules.refresh(signal),
		]);
		const hasRules = settings.current['prowess.approvals.allow'].length > 0 || projectRules.current.length > 0;
		return { ...here, mode, hasRules };
	};
}
