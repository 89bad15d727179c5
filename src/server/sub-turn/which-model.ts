/** The model a capability gets: the one it names, else its thread's, else the default. The scripted tour is none. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { SubTurnId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { ModelCatalog } from '../models/windows/catalog.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import { TOUR_MODEL_ID } from '../models/tour/tour.ts';

export interface WantedModel {
	readonly model: string | null;
	readonly threadId: ThreadId | null;
	readonly subTurnId: SubTurnId;
}

export interface WhichModelDeps {
	readonly models: Pick<ModelCatalog, 'list' | 'line'>;
	/** Returns the model of a thread, as its user chose it; null: the default. */
	readonly modelOf: (threadId: ThreadId) => string | null;
	readonly settings: () => Settings;
}

export async function whichModel(
	wanted: WantedModel,
	{ models, modelOf, settings }: WhichModelDeps,
	signal: AbortSignal,
): Promise<ModelLine> {
	const name = wanted.model ?? (wanted.threadId === null ? null : modelOf(wanted.threadId));
	const isProvider = name !== null && !name.includes('/') && !Object.hasOwn(settings()['prowess.models.aliases'], name);
	const modelId = isProvider ? await requireProviderModel(name, models, signal) : name;
	const { models: line } = await models.line(
		{ modelId, subTurnId: wanted.subTurnId, ...(wanted.threadId === null ? {} : { threadId: wanted.threadId }) },
		signal,
	);
	if (line.current.id === TOUR_MODEL_ID) {
		throw new ProwessError(
			'NO_MODEL',
			'no model is connected; the tour follows a script and answers no capability. Connect a Model in the editor, or name one with --provider and --model on the command line',
		);
	}
	return line;
}

async function requireProviderModel(
	provider: string,
	models: WhichModelDeps['models'],
	signal: AbortSignal,
): Promise<string> {
	const list = await models.list(signal);
	const found = list.models.find((each) => each.provider === provider);
	if (found === undefined) {
		const names = [...new Set(list.models.map((each) => each.provider))].filter((each) => each !== 'tour');
		const those = names.length === 0 ? 'none is' : `there are ${names.join(', ')}`;
		const message = `model "${provider}": no provider of that name is connected with a model; ${those}`;
		throw new ProwessError('MODEL_NOT_FOUND', message, { model: provider });
	}
	return found.id;
}
