/**
 * Leaves out fast paths and strategies that the user has overruled often in this project, and says so once. A host that cannot
 * answer stops no turn.
 */
import { switchedOffText } from '../../protocol/pages/usage-text.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { OVERRULES_UNTIL_OFF, type Judgement, type JudgementStanding } from '../../protocol/turn/judgement.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

/** Resolves with whether a fast path or strategy may be followed in this project. Rejects when the signal aborts. */
export async function isStillOn(
	judgement: Judgement,
	turn: Turn,
	deps: Pick<TurnDeps, 'overrules' | 'settings' | 'hasEditor' | 'log'>,
	signal: AbortSignal,
): Promise<boolean> {
	if (isKeptOn(judgement, deps)) {
		return true;
	}
	const standing = await askDesk(deps, signal, ({ standing: ask }) => ask(judgement, signal));
	tellNews(judgement, standing, turn, deps);
	return standing?.isOff !== true;
}

/** Counts that the user had the message of an earlier turn answered by a model after all. Rejects when the signal aborts. */
export async function countOverruled(
	{ judgement, occasion }: NonNullable<Turn['overrules']>,
	turn: Turn,
	deps: Pick<TurnDeps, 'overrules' | 'settings' | 'hasEditor' | 'log'>,
	signal: AbortSignal,
): Promise<void> {
	const standing = await askDesk(deps, signal, ({ overruled }) => overruled(judgement, occasion, signal));
	if (!isKeptOn(judgement, deps)) {
		tellNews(judgement, standing, turn, deps);
	}
}

/** The user's own setting wins over what was counted. */
function isKeptOn({ kind, name }: Judgement, { settings }: Pick<TurnDeps, 'settings'>): boolean {
	const switches: Readonly<Record<string, boolean | undefined>> = settings()['prowess.agent.fastPathsByName'];
	return kind === 'fastPath' && switches[name] === true;
}

async function askDesk(
	{ overrules, log }: Pick<TurnDeps, 'overrules' | 'log'>,
	signal: AbortSignal,
	ask: (desk: NonNullable<TurnDeps['overrules']>) => Promise<JudgementStanding>,
): Promise<JudgementStanding | undefined> {
	try {
		return overrules && (await ask(overrules));
	} catch (error) {
		signal.throwIfAborted();
		log.warn('the host does not say what the user has overruled', { error: String(error) });
		return undefined;
	}
}

/** Said before it is noted as said: after a kill in between it is said twice rather than never. */
function tellNews(
	judgement: Judgement,
	standing: JudgementStanding | undefined,
	{ journal }: Turn,
	{ overrules, hasEditor }: Pick<TurnDeps, 'overrules' | 'hasEditor'>,
): void {
	if (standing?.isNews === true) {
		const switchedOff = { ...judgement, times: OVERRULES_UNTIL_OFF };
		const again = hasEditor ? '' : ` To switch it on again: prowess usage --again ${judgement.name}`;
		const words = inEnglish(switchedOffText(switchedOff));
		journal.notice({ level: 'info', text: `${words}${again}`, actions: ['switchOn'], switchedOff });
		overrules?.told(judgement);
	}
}
