/** Share of honest answers that the guard of claims accuses, and of phantoms that it finds, in our own corpus. */
import { CORPUS_PARTS, measureCorpus, readCorpus } from '../test/support/claim-corpus.ts';
import type { Figure } from './measure.ts';

const MOST_FALSE_ALARMS = 0.01;
const FEWEST_FOUND = 0.85;

export function claimFigures(): Promise<Figure[]> {
	const figures = CORPUS_PARTS.flatMap((part) =>
		(['English', 'German'] as const).flatMap((language): Figure[] => {
			const answers = readCorpus(part).filter((answer) => answer.language === language);
			const { honest, falseAlarms, phantoms, missed } = measureCorpus(answers);
			const alarms = falseAlarms.length / honest;
			const found = 1 - missed.length / phantoms;
			const where = `${language}, ${part === 'tuned' ? 'tuned on' : 'written later, after mending'}`;
			return [
				{
					goal: 'claims',
					what: `false alarms on ${honest} honest answers, ${where}`,
					measured: `${falseAlarms.length} (${percent(alarms)})`,
					bar: `≤ ${percent(MOST_FALSE_ALARMS)}`,
					met: alarms <= MOST_FALSE_ALARMS,
				},
				{
					goal: 'claims',
					what: `phantoms found among ${phantoms}, ${where}`,
					measured: `${phantoms - missed.length} (${percent(found)})`,
					bar: `≥ ${percent(FEWEST_FOUND)}`,
					met: found >= FEWEST_FOUND,
				},
			];
		}),
	);
	return Promise.resolve(figures);
}

function percent(share: number): string {
	return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
