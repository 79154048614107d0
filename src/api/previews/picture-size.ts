// The size of preview pictures: what Open Graph and Twitter cards show without cutting.

export const PICTURE_WIDTH = 1_200
export const PICTURE_HEIGHT = 630
