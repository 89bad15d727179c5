/** Draws again only when a property is another one. All that is drawn is immutable, so identity tells unless said otherwise. */
import { Component, createElement, type ComponentChild, type FunctionComponent } from 'preact';

export function memo<P extends object>(
	draw: (props: P) => ComponentChild,
	isSame: (a: Readonly<P>, b: Readonly<P>) => boolean = isShallowlySame,
): FunctionComponent<P> {
	class Memo extends Component<P> {
		override shouldComponentUpdate(next: Readonly<P>): boolean {
			return !isSame(this.props, next);
		}

		override render(): ComponentChild {
			return createElement(draw as FunctionComponent<P>, this.props as P);
		}
	}
	return Memo as unknown as FunctionComponent<P>;
}

function isShallowlySame(a: object, b: object): boolean {
	const keys = Object.keys(a);
	return (
		keys.length === Object.keys(b).length &&
		keys.every((key) => Object.is(a[key as keyof typeof a], b[key as keyof typeof b]))
	);
}
