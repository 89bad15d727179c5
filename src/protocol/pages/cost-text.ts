/** A sum of money as people read it. */
import { type Text, text } from '../text/text.ts';

/** US dollars; never nothing for something. */
export function costText(cost: number): Text {
	return cost > 0 && cost < 0.01
		? text('under $0.01')
		: text('${dollars}', { dollars: cost.toFixed(cost < 100 ? 2 : 0) });
}
