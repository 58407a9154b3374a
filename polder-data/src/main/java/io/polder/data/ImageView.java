package io.polder.data;

/** The images of another source, as many and of the same classes, served otherwise. What images have besides pixels is its alone. */
public interface ImageView extends ImageSource {
    ImageSource source();

    @Override
    default int size() {
        return source().size();
    }

    /** Unless it is said otherwise, they keep it. */
    @Override
    default ImageShape shape() {
        return source().shape();
    }

    @Override
    default int classes() {
        return source().classes();
    }

    @Override
    default int label(int index) {
        return source().label(index);
    }

    @Override
    default int[] labels(int index) {
        return source().labels(index);
    }

    @Override
    default String name(int index) {
        return source().name(index);
    }
}
