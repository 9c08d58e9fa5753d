/** The bundles, or all that the package holds: types and man pages too. */
type Part = 'bundles' | 'all';

export declare function markBuilt(dist: string, root?: string, part?: Part): void;
export declare function unmarkBuilt(dist: string): void;
export declare function isBuilt(dist: string, root?: string, part?: Part): boolean;
